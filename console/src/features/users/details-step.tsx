import { users } from "@telltale/contract/domains/people/users";
import { useEffect, useRef } from "react";
import { goToField } from "../../form/go-to-field.ts";
import { PhoneField } from "../../form/phone-field.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { TypeField } from "./type-field.tsx";
import type { UserFlow } from "./use-user-flow.ts";
import classes from "./user-dialog.module.css";

/** Step 1 of adding: the user's name, contact and role. */
export const DetailsStep = ({ flow, formId }: { flow: UserFlow; formId: string }) => {
  const { details, validationError } = flow;
  const email = useRef<HTMLInputElement>(null);
  const form = useCallForm(users.add, flow.saveDetails, (fields) => ({ ...fields, type: Number(fields.type || "x") }));
  const emailField = form.field("email");
  useEffect(() => {
    if (validationError) goToField(email.current);
  }, [validationError]);
  return (
    <form id={formId} {...form.props} className={classes.fields}>
      <TextField
        {...form.field("firstName")}
        label="First name"
        defaultValue={details?.firstName ?? ""}
        autoComplete="off"
        data-autofocus
      />
      <TextField
        {...form.field("lastName")}
        label="Last name"
        defaultValue={details?.lastName ?? ""}
        autoComplete="off"
      />
      <TextField
        {...emailField}
        ref={email}
        className={classes.whole}
        label="Email"
        type="email"
        defaultValue={details?.email ?? ""}
        error={emailField.error ?? validationError}
        onInput={() => {
          emailField.onInput();
          flow.clearError();
        }}
        autoComplete="off"
      />
      <TypeField field={form.field("type")} initial={details?.type} />
      <PhoneField
        field={form.field("cellNumber")}
        label="Phone"
        description="Digits only, 11 at most"
        initial={details?.cellNumber ?? ""}
      />
    </form>
  );
};
