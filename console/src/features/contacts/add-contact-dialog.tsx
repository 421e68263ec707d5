import type { Input } from "@telltale/contract/call/call";
import { contacts } from "@telltale/contract/domains/people/contacts";
import {
  ContactType,
  contactChannels,
  contactTypeLabels,
  longestPhone,
} from "@telltale/contract/notification-channels";
import { useState } from "react";
import { CallDialog } from "../../form/call-dialog.tsx";
import { PhoneField } from "../../form/phone-field.tsx";
import { SelectField } from "../../form/select-field.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useCallForm } from "../../form/use-call-form.ts";
import { useAction } from "../../session/use-call.ts";
import { inform } from "../../ui/dialog/messages.ts";
import classes from "./contact-dialog.module.css";
import { MayConfirmField } from "./may-confirm-field.tsx";

const options = Object.entries(contactTypeLabels).map(([value, label]) => ({ value, label }));

interface TypeFieldProps {
  field: { name: string; error: string | undefined; onInput: () => void };
  value: ContactType;
  onChange: (type: ContactType) => void;
}

/** The contact's type. */
const TypeField = ({ field, value, onChange }: TypeFieldProps) => (
  <SelectField
    {...field}
    label="Type"
    data={options}
    value={String(value)}
    onChange={(chosen) => onChange(Number(chosen) as ContactType)}
  />
);

/** A phone that was added; its code is entered next. */
export interface AddedPhone {
  notifyUserId: number;
  contactInfo: string;
}

type RequestInput = Input<typeof contacts.add>;

interface ContactFieldProps {
  type: ContactType;
  field: { name: string; error: string | undefined; onInput: () => void };
}

/** The address or the number; each starts empty. */
const ContactField = ({ type, field }: ContactFieldProps) => {
  const { label, description, input } = contactChannels[type].field;
  if (input === "email") return <TextField {...field} {...{ label, description }} type="email" autoComplete="off" />;
  return <PhoneField field={field} {...{ label, description }} initial="" longest={longestPhone} autoComplete="off" />;
};

interface AddContactDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The next step of adding a phone. */
  onPhone: (phone: AddedPhone) => void;
}

/** Adds a contact and requests its consent by a link or a code. Give it a new key at each opening. (spec 2 §2) */
export const AddContactDialog = ({ isOpen, onClose, onPhone }: AddContactDialogProps) => {
  const [type, setType] = useState<ContactType>(ContactType.mail);
  const add = useAction(contacts.add, { invalidates: [contacts.list, contacts.choices], isQuiet: true });
  const send = (fields: RequestInput) =>
    add.mutate(fields, {
      onSuccess: ({ notifyUserId }) => {
        inform("Add success");
        onClose();
        if (contactChannels[fields.type].consent === "code") onPhone({ notifyUserId, contactInfo: fields.contactInfo });
      },
    });
  const form = useCallForm(contacts.add, send);
  return (
    <CallDialog isOpen={isOpen} onClose={onClose} title="Add contact" form={form} sending={add}>
      <div className={classes.fields}>
        <TextField {...form.field("firstName")} label="First name" autoComplete="off" data-autofocus />
        <TextField {...form.field("lastName")} label="Last name" autoComplete="off" />
        <TypeField
          field={form.field("type")}
          value={type}
          onChange={(chosen) => {
            setType(chosen);
            form.clear();
          }}
        />
        <div className={classes.whole}>
          <ContactField key={type} type={type} field={form.field("contactInfo")} />
          <MayConfirmField isOn={false} />
        </div>
      </div>
    </CallDialog>
  );
};
