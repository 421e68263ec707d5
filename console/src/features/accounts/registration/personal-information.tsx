import { useQueryClient } from "@tanstack/react-query";
import type { UserInfo } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { type FormEvent, Suspense } from "react";
import { FormMessage } from "../../../form/form-message.tsx";
import { userQuery, useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { warn } from "../../../ui/dialog/messages.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { useLocation, useNavigate } from "../../../ui/router/hooks.ts";
import classes from "../entry/entry-fields.module.css";
import { EntryAlternatives, EntryText, entryLink } from "../entry/entry-fields.tsx";
import { EntryFrame } from "../entry/entry-frame.tsx";
import { useEntryForm } from "../entry/use-entry-form.ts";

/** The select is large; the rest of the form does not wait for it. */
const IndustryField = lazyWithRetry(() => import("../../../domain/industry-field.tsx"), "IndustryField");

/** Maximum digits of a mobile number. (spec 2 §9) */
const mostDigits = 11;

/** Removes everything but digits from typed or pasted text. */
const keepDigits = ({ currentTarget }: FormEvent<HTMLInputElement>): void => {
  const { value } = currentTarget;
  const digits = value.replace(/\D/g, "");
  if (digits !== value) warn("Enter the number");
  currentTarget.value = digits.slice(0, mostDigits);
};

/** The onboarding form, shown once after the first sign-in. `onSaved` receives the saved fields. */
export const PersonalInformationForm = ({ onSaved }: { onSaved: (info: Record<string, string>) => void }) => {
  const form = useEntryForm(profile.introduce, (_, input) => onSaved(input));
  const { user, signOut } = useSession();
  const mobile = form.field("cellNumber");
  return (
    <form {...form.props}>
      <h1>Personal information</h1>
      <p>Tell us who looks after the equipment. Other users of your plant see your name beside your actions.</p>
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
          keepDigits(event);
          mobile.onInput();
        }}
      />
      <FormMessage id="personal-information-message">{form.refusal?.message}</FormMessage>
      <Button type="submit" className={classes.submit} fullWidth loading={form.isPending}>
        Save
      </Button>
      <EntryAlternatives>
        <p>
          Signed in as {user.email}.{" "}
          <button type="button" className={entryLink} onClick={() => void signOut()}>
            Sign out
          </button>
        </p>
      </EntryAlternatives>
    </form>
  );
};

/** The onboarding screen of a new user. (spec 2 §4) */
export const PersonalInformationScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const from = useLocation(({ state }) => state.from);
  const goOn = (info: Partial<UserInfo>) => {
    // Updated locally instead of refetched: if the network were lost now, the guard would redirect to the form that has just been saved.
    queries.setQueryData<UserInfo>(userQuery.queryKey, (user) => user && { ...user, ...info, hasInfo: true });
    void navigate({ to: "/personalInformationCreated", replace: true, state: from === undefined ? {} : { from } });
  };
  return (
    <EntryFrame title="Personal information">
      <PersonalInformationForm onSaved={goOn} />
    </EntryFrame>
  );
};
