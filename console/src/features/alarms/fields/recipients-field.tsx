import type { AlarmRecipient } from "@telltale/contract/domains/alarms";
import { ContactStatus, contacts } from "@telltale/contract/domains/people/contacts";
import { contactTypeLabels } from "@telltale/contract/notification-channels";
import { type ReactNode, useState } from "react";
import { contactLook } from "../../../domain/contact-status.ts";
import { ContactTypeIcon } from "../../../domain/contact-type-icon.tsx";
import { offered, PickList, useSearch } from "../../../form/pick-list.tsx";
import type { CallForm } from "../../../form/use-call-form.ts";
import { useRecordsRefetch } from "../../../session/live/use-live-refetch.ts";
import { useCall } from "../../../session/use-call.ts";
import { Link } from "../../../ui/router/link.tsx";
import { StatusLabel } from "../../../ui/status/status-label.tsx";
import classes from "../alarm-form.module.css";

const Recipient = ({ recipient: { type, name, contactInfo, status } }: { recipient: AlarmRecipient }) => (
  <span className={classes.recipient}>
    <ContactTypeIcon type={type} />
    <span>{name}</span>
    <small>{contactInfo}</small>
    <StatusLabel {...contactLook(status)} />
  </span>
);

const rows = {
  keyOf: ({ notifyUserId }: AlarmRecipient) => String(notifyUserId),
  label: (recipient: AlarmRecipient) => <Recipient recipient={recipient} />,
};

const fits = ({ name, contactInfo }: AlarmRecipient, search = ""): boolean =>
  `${name} ${contactInfo}`.toLowerCase().includes(search.toLowerCase());

interface RecipientsFieldProps {
  field: ReturnType<CallForm["field"]>;
  chosen: readonly number[];
  onChange: (chosen: number[]) => void;
}

/** The contacts that are notified of the alert. Unverified contacts may be selected and are notified once they have verified. */
export const RecipientsField = ({ field, chosen: requested, onChange }: RecipientsFieldProps): ReactNode => {
  const search = useSearch();
  const { data, error } = useCall(contacts.choices, {});
  useRecordsRefetch([contacts.choices], ["contact"]);
  // A contact may be deleted while the form is open.
  const chosen = data ? requested.filter((id) => data.some(({ notifyUserId }) => notifyUserId === id)) : requested;
  // The initially selected contacts come first: a long list shows only its beginning, and rows do not move on selection.
  const [first] = useState(() => new Set(requested));
  const isFirst = ({ notifyUserId }: AlarmRecipient) => Number(first.has(notifyUserId));
  const found = data
    ?.filter((each) => fits(each, search.name))
    .toSorted((a, b) => a.type - b.type || isFirst(b) - isFirst(a));
  const isWaiting = data?.some(
    ({ notifyUserId, status }) => chosen.includes(notifyUserId) && status !== ContactStatus.verified,
  );
  const toggle = ({ notifyUserId }: AlarmRecipient) => {
    field.onInput();
    onChange(
      chosen.includes(notifyUserId) ? chosen.filter((each) => each !== notifyUserId) : [...chosen, notifyUserId],
    );
  };
  return (
    <>
      <input type="hidden" name={field.name} value={chosen.join(",")} />
      <PickList
        legend={
          <>
            Recipients <small>{`${chosen.length} chosen`}</small>
          </>
        }
        field={field.name}
        search={search}
        placeholder="Search by name, email or phone"
        found={found && { rows: found.slice(0, offered), total: found.length }}
        kind="many"
        groupOf={({ type }) => ({ key: type, name: contactTypeLabels[type] })}
        row={rows}
        isChosen={({ notifyUserId }) => chosen.includes(notifyUserId)}
        onToggle={toggle}
        none={data?.length === 0 ? "There are no contacts yet" : "No contact of this name"}
        error={field.error ?? error?.message}
      />
      <p className={classes.note}>
        {isWaiting && "Contacts that are Pending or Refused are not notified until they are Verified. "}
        <Link to="/configureAlarmNotifyUser" target="_blank">
          Add or verify contacts
        </Link>{" "}
        in another tab; your input here is kept.
      </p>
    </>
  );
};
