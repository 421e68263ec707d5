import type { UserRow } from "@telltale/contract/users";
import { TextField } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { TypeField } from "./type-field.tsx";
import type { UserFlow } from "./use-user-flow.ts";
import classes from "./user-dialog.module.css";

interface EditedDetailsStepProps {
  flow: UserFlow;
  edited: UserRow;
  formId: string;
}

/** Step 1 of editing: the type can be changed; name and number are the user's own to change. */
export const EditedDetailsStep = ({ flow, edited, formId }: EditedDetailsStepProps) => {
  const isOneself = useSession().account.accountId === edited.accountId;
  return (
    <form
      id={formId}
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = new FormData(event.currentTarget).get("type");
        flow.saveType(Number(chosen) || edited.roleType);
      }}
    >
      <TextField label="First name" value={edited.firstName} readOnly />
      <TextField label="Last name" value={edited.lastName} readOnly />
      <TextField className={classes.whole} label="Email" value={edited.userEmail} readOnly />
      <TypeField
        field={{ name: "type" }}
        initial={flow.type}
        isFixed={isOneself}
        {...(isOneself && { description: "Somebody else can change your own" })}
      />
      <TextField label="Phone" value={edited.cellNumber || "--"} readOnly />
    </form>
  );
};
