import { type ContactRow, contacts } from "@telltale/contract/domains/people/contacts";
import { CallDialog } from "../../form/call-dialog.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useAction } from "../../session/use-call.ts";
import classes from "./contact-dialog.module.css";
import { MayConfirmField } from "./may-confirm-field.tsx";

interface EditContactDialogProps {
  isOpen: boolean;
  onClose: () => void;
  contact: ContactRow;
}

/** Changes a contact's name and its right to confirm; the address, which has consented, stays. Give it a new key at each opening. */
export const EditContactDialog = ({ isOpen, onClose, contact }: EditContactDialogProps) => {
  const update = useAction(contacts.update, {
    success: "Submitted successfully",
    invalidates: [contacts.list, contacts.choices],
    onDone: onClose,
    isQuiet: true,
  });
  const form = useCallForm(contacts.update, (fields) => update.mutate(fields));
  return (
    <CallDialog isOpen={isOpen} onClose={onClose} title="Edit contact" form={form} sending={update}>
      <div className={classes.fields}>
        <p className={`${classes.whole} ${classes.intro}`}>
          <b>{contact.contactInfo}</b> stays: another address has to agree, too. Add it as another contact.
        </p>
        <input type="hidden" name="notifyUserId" value={contact.notifyUserId} />
        <input type="hidden" name="version" value={contact.version} />
        <TextField
          {...form.field("firstName")}
          label="First name"
          defaultValue={contact.firstName}
          autoComplete="off"
          data-autofocus
        />
        <TextField {...form.field("lastName")} label="Last name" defaultValue={contact.lastName} autoComplete="off" />
        <div className={classes.whole}>
          <MayConfirmField isOn={contact.mayConfirm} />
        </div>
      </div>
    </CallDialog>
  );
};
