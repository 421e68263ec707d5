import type { AlertRow, NotificationRow } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { alertLine, alertName } from "../../../domain/alerts/alert-text.ts";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { useRecent } from "../../../ui/format/time.ts";
import classes from "./confirm-alert.module.css";

/** Whether it is an alert of the log, and not a notification. */
export const isAlert = (entry: AlertRow | NotificationRow): entry is AlertRow => "priority" in entry;

const Values = ({ alert }: { alert: AlertRow }) => {
  const { type, text, threshold } = alertLine(alert);
  return (
    <>
      <b>{type}</b> {text}
      {threshold && `, threshold ${threshold}`}
    </>
  );
};

/** What a dialog is about: plate, name, value, device. */
export const AlertStrip = ({ entry }: { entry: AlertRow | NotificationRow }): ReactNode => {
  const { recent } = useRecent();
  return (
    <div className={classes.strip}>
      {isAlert(entry) && <PriorityPlate priority={entry.priority} />}
      <div>
        <b className={classes.name}>{isAlert(entry) ? alertName(entry) : entry.deviceName}</b>
        <time dateTime={entry.createdTime.toISOString()}>{recent(entry.createdTime)}</time>
        <p>
          {isAlert(entry) ? <Values alert={entry} /> : entry.msg} <span>{isAlert(entry) && entry.deviceName}</span>
        </p>
      </div>
    </div>
  );
};
