import { Button } from "@mantine/core";
import { profile } from "@telltale/contract/profile";
import { type FormEvent, Suspense } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { useSession } from "../../session/session.ts";
import { lazyPart } from "../../ui/load-part.ts";
import { warn } from "../../ui/notify.tsx";
import classes from "./entry-fields.module.css";
import { EntryText, EntryWays, entryLink } from "./entry-fields.tsx";
import { useEntryForm } from "./use-entry-form.ts";

/** A list to choose from is heavy: the rest of the form does not wait for it. */
const IndustryField = lazyPart(() => import("../../form/industry-field.tsx"), "IndustryField");

/** Most digits of a mobile number. (spec 2 §9) */
const mostDigits = 11;

/** Keeps the digits of what was typed or pasted. */
const keepDigits = ({ currentTarget }: FormEvent<HTMLInputElement>): void => {
  const { value } = currentTarget;
  const digits = value.replace(/\D/g, "");
  if (digits !== value) warn("Enter the number");
  currentTarget.value = digits.slice(0, mostDigits);
};

/** Who somebody is, asked once after the first sign-in. `onSaved` is given what was said. */
export const PersonalInformationForm = ({ onSaved }: { onSaved: (said: Record<string, string>) => void }) => {
  const form = useEntryForm(profile.introduce, (_, input) => onSaved(input));
  const { user, signOut } = useSession();
  const mobile = form.field("cellNumber");
  return (
    <form {...form.props}>
      <h1>Personal information</h1>
      <p>Who looks after the equipment. The people of your plant see your name beside what you did.</p>
      <EntryText {...form.field("company")} label="Company" autoComplete="organization" maxLength={64} autoFocus />
      <Suspense fallback={<EntryText label="Industry" disabled />}>
        <IndustryField {...form.field("industry")} classNames={classes} />
      </Suspense>
      <div className={classes.pair}>
        <EntryText {...form.field("firstName")} label="First name" autoComplete="given-name" maxLength={64} />
        <EntryText {...form.field("lastName")} label="Last name" autoComplete="family-name" maxLength={64} />
      </div>
      <EntryText
        {...mobile}
        label="Mobile number (optional)"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        onInput={(event) => {
          keepDigits(event as FormEvent<HTMLInputElement>);
          mobile.onInput();
        }}
      />
      <FormMessage id="personal-information-message">{form.refusal?.message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={form.isPending}>
        Save
      </Button>
      <EntryWays>
        <p>
          Signed in as {user.email}.{" "}
          <button type="button" className={entryLink} onClick={() => void signOut()}>
            Sign out
          </button>
        </p>
      </EntryWays>
    </form>
  );
};
