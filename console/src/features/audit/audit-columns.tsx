import { type AuditRow, auditActionLabel } from "@telltale/contract/domains/audit";
import type { Column } from "../../table/column.tsx";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { dateTime, recentShort } from "../../ui/format/time.ts";
import classes from "./audit-columns.module.css";
import { changeText } from "./audit-text.ts";

const MomentCell = ({ moment }: { moment: Date }) => (
  <time dateTime={moment.toISOString()} title={dateTime(moment)}>
    <span className={classes.wide}>{dateTime(moment)}</span>
    <span className={classes.short}>{recentShort(moment)}</span>
  </time>
);

/** Who acted, where no user did. */
const nobodyOf = ({ isContact, isServer }: AuditRow): string => {
  if (isServer) return "Telltale";
  return isContact ? "The contact itself" : "Removed user";
};

/** The actor; a support user is never shown as the user it views as. */
const WhoCell = ({ entry }: { entry: AuditRow }) => {
  const { isSupport, madeBy, name, email } = entry;
  const support = madeBy ? `Support (${madeBy})` : "Support";
  return (
    <span className={classes.who}>
      <b>{isSupport ? support : name || email || nobodyOf(entry)}</b>
      {isSupport ? <span>looking as {email}</span> : name && <span>{email}</span>}
    </span>
  );
};

/** The target, and each changed field before and after. */
const WhatCell = ({ entry: { target, changes } }: { entry: AuditRow }) => (
  <span className={classes.what}>
    {target && <b>{target}</b>}
    {changes.map((change) => {
      const { field, before, after } = changeText(change);
      return (
        <span key={change.field}>
          <i>{field}</i> {before !== undefined && `${before} → `}
          {after}
        </span>
      );
    })}
  </span>
);

/** The columns of the audit log. */
export const auditColumns = (by: Readonly<Record<string, FilterInForce>>): Column<AuditRow>[] => [
  {
    key: "time",
    head: "TIME",
    width: 160,
    narrow: "top-end",
    filter: by.time,
    cell: ({ createdTime }) => <MomentCell moment={createdTime} />,
  },
  {
    key: "who",
    head: "WHO",
    width: 250,
    least: 200,
    narrow: "below-main",
    filter: by.who,
    cell: (entry) => <WhoCell entry={entry} />,
  },
  {
    key: "action",
    head: "ACTION",
    width: 210,
    least: 170,
    narrow: "top-main",
    filter: by.action,
    cell: ({ action }) => <span className={classes.action}>{auditActionLabel(action)}</span>,
  },
  {
    key: "what",
    head: "WHAT",
    width: 420,
    least: 300,
    narrow: "action",
    cell: (entry) => <WhatCell entry={entry} />,
  },
];
