import type { AlarmRecipient } from "@telltale/contract/alarms";
import { ContactStatus, contactStatusLabels, type ContactStatus as Status } from "@telltale/contract/contacts";
import type { ReactNode } from "react";
import { Missing } from "../../format/missing.tsx";
import classes from "./alarm-columns.module.css";
import { ContactTypeIcon } from "./contact-type-icon.tsx";

const inFull = ({ name, contactInfo, status }: AlarmRecipient): string =>
  `${name}, ${contactInfo} (${contactStatusLabels[status as Status]})`;

/** Whom an alert tells: the first, how many more, and whether any of them has agreed to be told. */
export const RecipientsCell = ({ recipients }: { recipients: readonly AlarmRecipient[] }): ReactNode => {
  const [first, ...others] = recipients.toSorted((a, b) => b.status - a.status);
  if (!first) return <Missing />;
  return (
    <span className={classes.recipients} title={recipients.map(inFull).join("\n")}>
      <ContactTypeIcon type={first.type} />
      <span className={classes.text}>{first.name}</span>
      {others.length > 0 && <small>+{others.length}</small>}
      {first.status !== ContactStatus.verified && <small>{contactStatusLabels[first.status as Status]}</small>}
    </span>
  );
};
