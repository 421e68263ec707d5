import { assignableRoles, type UserRow, UserStatus, users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { PhoneField } from "../../form/phone-field.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useSession } from "../../session/session.ts";
import { TypeField } from "./type-field.tsx";
import type { UserFlow } from "./use-user-flow.ts";
import classes from "./user-dialog.module.css";

/** Why the type of this user is fixed; undefined when it can be changed. */
const whyFixed = ({ accountId, parentAccountId }: UserRow, ownId: number): string | undefined => {
  if (accountId === parentAccountId) return "The account that owns this plant stays an Owner";
  return accountId === ownId ? "Another user has to change your own" : undefined;
};

interface EditedDetailsStepProps {
  flow: UserFlow;
  edited: UserRow;
  formId: string;
}

/** Step 1 of editing: the type and, until the user has joined, name and number. */
export const EditedDetailsStep = ({ flow, edited, formId }: EditedDetailsStepProps) => {
  const fixed = whyFixed(edited, useSession().account.accountId);
  const { person } = flow;
  const isInvited = edited.activate === UserStatus.inactive;
  const form = useCallForm(
    users.edit,
    ({ type, firstName, lastName, cellNumber }) =>
      flow.saveEdited(
        {
          firstName: firstName ?? edited.firstName,
          lastName: lastName ?? edited.lastName,
          cellNumber: cellNumber ?? edited.cellNumber,
        },
        type ?? edited.roleType,
      ),
    ({ type, ...typed }) => ({
      ...typed,
      accountId: edited.accountId,
      type: assignableRoles.find((role) => role === Number(type)),
    }),
  );
  // A field without a name is not sent.
  const own = (name: string) => (isInvited ? { ...form.field(name), autoComplete: "off" } : { readOnly: true });
  return (
    <form id={formId} {...form.props} className={classes.fields}>
      <TextField {...own("firstName")} label="First name" defaultValue={person.firstName} />
      <TextField {...own("lastName")} label="Last name" defaultValue={person.lastName} />
      <TextField className={classes.whole} label="Email" value={edited.userEmail} readOnly />
      <TypeField
        field={form.field("type")}
        initial={flow.type}
        isOwner={edited.roleType === Role.owner}
        isFixed={fixed !== undefined}
        {...(fixed !== undefined && { description: fixed })}
      />
      {isInvited ? (
        <PhoneField
          field={form.field("cellNumber")}
          label="Phone"
          description="Digits only, 11 at most"
          initial={person.cellNumber}
        />
      ) : (
        <TextField label="Phone" value={edited.cellNumber || "--"} readOnly />
      )}
    </form>
  );
};
