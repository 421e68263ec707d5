import { contactCodeLength, contacts } from "@telltale/contract/domains/people/contacts";
import { useId, useState } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useAction } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { AddedPhone } from "./add-contact-dialog.tsx";
import classes from "./contact-dialog.module.css";

interface CodeDialogProps {
  isOpen: boolean;
  onClose: () => void;
  phone: AddedPhone;
}

/** Asks for the code that was sent to a phone, and can resend it. Give it a new key at each opening. */
export const CodeDialog = ({ isOpen, onClose, phone: { notifyUserId, contactInfo } }: CodeDialogProps) => {
  const formId = useId();
  const [code, setCode] = useState("");
  const verify = useAction(contacts.verify, {
    success: "Submitted successfully",
    invalidates: [contacts.list, contacts.choices],
    onDone: onClose,
    isQuiet: true,
  });
  const resend = useAction(contacts.ask, {
    success: "A new code has been sent",
    invalidates: [contacts.list, contacts.choices],
    isQuiet: true,
  });
  const forget = () => {
    verify.reset();
    resend.reset();
  };
  const form = useCallForm(contacts.verify, (fields) => verify.mutate(fields));
  const codeField = form.field("code");
  const again = () => {
    forget();
    setCode("");
    resend.mutate({ notifyUserId });
  };
  const footer = (
    <>
      <Button variant="default" onClick={again} loading={resend.isPending}>
        Resend
      </Button>
      <Button type="submit" form={formId} loading={verify.isPending}>
        Confirm
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Verify phone" width={420} footer={footer}>
      <form id={formId} {...form.props} onInput={forget}>
        <p className={classes.intro}>
          Enter the code of {contactCodeLength} digits that was sent to <b>{contactInfo}</b> by SMS. It works for 15
          minutes.
        </p>
        <input type="hidden" name="notifyUserId" value={notifyUserId} />
        <TextField
          {...codeField}
          label="Code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, "").slice(0, contactCodeLength))}
          inputMode="numeric"
          autoComplete="one-time-code"
          data-autofocus
        />
        <FormMessage>{verify.error?.message ?? resend.error?.message}</FormMessage>
      </form>
    </Dialog>
  );
};
