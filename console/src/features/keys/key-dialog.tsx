import { apiKeys, keyDays, rolesWithin } from "@telltale/contract/domains/people/api-keys";
import { roleNames } from "@telltale/contract/permissions";
import { CallDialog } from "../../form/call-dialog.tsx";
import { SelectField } from "../../form/select-field.tsx";
import { SwitchField } from "../../form/switch-field.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import classes from "./keys.module.css";

const lengths = keyDays.map((days) => ({
  value: String(days),
  label: days === 0 ? "Until it is revoked" : `${days} days`,
}));

interface KeyDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called with the key, which cannot be read again. */
  onMade: (apiKey: string) => void;
}

/** Makes an API key. Give it a new key at each opening. */
export const KeyDialog = ({ isOpen, onClose, onMade }: KeyDialogProps) => {
  const roles = rolesWithin(useSession().account.roleType);
  const sending = useAction(apiKeys.add, {
    invalidates: [apiKeys.list],
    isQuiet: true,
    onDone: ({ apiKey }) => {
      onClose();
      onMade(apiKey);
    },
  });
  const form = useCallForm(apiKeys.add, (fields) => sending.mutate(fields));
  return (
    <CallDialog isOpen={isOpen} onClose={onClose} title="New API key" form={form} sending={sending} action="Make key">
      <TextField
        {...form.field("keyName")}
        label="Name"
        description="What uses it, such as Monthly report"
        autoComplete="off"
        data-autofocus
      />
      <SelectField
        name="roleType"
        label="Role"
        description="The key may do what this role may in this plant"
        data={roles.map((role) => ({ value: String(role), label: roleNames[role] }))}
        defaultValue={String(roles[0])}
      />
      <div className={classes.switch}>
        <SwitchField name="readOnly" label="Read-only: it changes nothing" isOn />
      </div>
      <SelectField name="days" label="Valid for" data={lengths} defaultValue={String(keyDays[1])} />
    </CallDialog>
  );
};
