import type { AlertInfo } from "@telltale/contract/domains/alerting/entries";
import { type ReactNode, useState } from "react";
import { useSession } from "../../../session/session.ts";
import { day } from "../../../ui/format/time.ts";
import { HeadButton } from "../../../ui/page/head-button.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import page from "./alert-entry.module.css";
import { EventRow } from "./event-row.tsx";
import { NoteForm } from "./note-form.tsx";
import classes from "./timeline.module.css";

/** What happened, oldest first unless turned round, with the notes and a field for the next one. */
export const Timeline = ({ alert }: { alert: AlertInfo }): ReactNode => {
  const [isNewestFirst, setNewestFirst] = useState(false);
  const { can } = useSession();
  const events = isNewestFirst ? alert.timeline.toReversed() : alert.timeline;
  return (
    <Panel
      title={
        <>
          What happened <small className={classes.day}>{day(alert.createdTime)}</small>
        </>
      }
      aside={
        <HeadButton onClick={() => setNewestFirst(!isNewestFirst)}>
          {isNewestFirst ? "Oldest first" : "Newest first"}
        </HeadButton>
      }
      className={page.happened ?? ""}
    >
      <ol className={classes.events} aria-label="What happened">
        {events.map((event, index) => (
          // Events have no id; those of an alert are only ever added.
          <EventRow
            key={`${event.kind} ${event.time.getTime()} ${isNewestFirst ? events.length - index : index}`}
            event={event}
            alert={alert}
          />
        ))}
      </ol>
      {can("alerts.confirm") && <NoteForm alarmLogId={alert.alarmLogId} />}
    </Panel>
  );
};
