import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { apiKeys, keyDays, rolesWithin } from "@telltale/contract/domains/people/api-keys";
import { roleNames } from "@telltale/contract/permissions";
import { useId } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { SwitchField } from "../../form/switch-field.tsx";
import { fieldClasses, TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
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
  const formId = useId();
  const roles = rolesWithin(useSession().account.roleType);
  const { mutate, isPending, error, reset } = useAction(apiKeys.add, {
    invalidates: [apiKeys.list],
    isQuiet: true,
    onDone: ({ apiKey }) => {
      onClose();
      onMade(apiKey);
    },
  });
  const form = useCallForm(apiKeys.add, (fields) => mutate(fields));
  const selectProps = {
    allowDeselect: false,
    rightSection: <IconChevronDown size={18} aria-hidden />,
    rightSectionPointerEvents: "none",
    classNames: fieldClasses,
  } as const;
  const footer = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} loading={isPending}>
        Make key
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="New API key" footer={footer}>
      <form id={formId} {...form.props} onInput={reset}>
        <TextField
          {...form.field("keyName")}
          label="Name"
          description="What uses it, such as Monthly report"
          autoComplete="off"
          data-autofocus
        />
        <Select
          {...selectProps}
          name="roleType"
          data-field="roleType"
          label="Role"
          description="The key may do what this role may in this plant"
          data={roles.map((role) => ({ value: String(role), label: roleNames[role] }))}
          defaultValue={String(roles[0])}
        />
        <div className={classes.switch}>
          <SwitchField name="readOnly" label="Read-only: it changes nothing" isOn />
        </div>
        <Select
          {...selectProps}
          name="days"
          data-field="days"
          label="Valid for"
          data={lengths}
          defaultValue={String(keyDays[1])}
        />
        <FormMessage>{error?.message}</FormMessage>
      </form>
    </Dialog>
  );
};
