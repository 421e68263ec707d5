import { Textarea } from "@mantine/core";
import { IconTrendingUp } from "@tabler/icons-react";
import { type AlertInfo, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { longestNote } from "@telltale/contract/domains/alerts";
import { type FormEvent, type ReactNode, useState } from "react";
import { useSession } from "../../../session/session.ts";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { useStamps } from "../../../ui/format/time.ts";
import { HeadButton } from "../../../ui/page/head-button.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import page from "./alert-entry.module.css";
import { EventRow } from "./event-row.tsx";
import classes from "./timeline.module.css";

/** Adds a note to the alert, also after it has cleared. */
const NoteForm = ({ alarmLogId }: { alarmLogId: number }): ReactNode => {
  const [note, setNote] = useState("");
  const { mutate, isPending } = useAction(alertEntries.note, {
    invalidates: [alertEntries.info],
    onDone: () => setNote(""),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (note.trim() !== "") mutate({ alarmLogId, note: note.trim() });
  };
  return (
    <form className={classes.noteForm} onSubmit={submit}>
      <Textarea
        aria-label="Note"
        placeholder="Add a note"
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        maxLength={longestNote}
        autosize
        minRows={1}
        maxRows={6}
        classNames={{ root: classes.noteRoot, input: classes.noteInput }}
      />
      <Button type="submit" variant="default" loading={isPending} disabled={note.trim() === ""}>
        Add note
      </Button>
    </form>
  );
};

/** Whom the plan notifies next unless somebody confirms. */
const Next = ({ next: { time, to } }: { next: NonNullable<AlertInfo["next"]> }): ReactNode => {
  const { clock, dateTime } = useStamps();
  return (
    <li data-next>
      <time dateTime={time.toISOString()} title={dateTime(time)}>
        {clock(time)}
      </time>
      <span className={classes.glyph}>
        <IconTrendingUp size={17} stroke={1.7} aria-hidden />
      </span>
      <div>
        <h3>
          Next: {to.join(", ")} <span>unless somebody confirms</span>
        </h3>
      </div>
    </li>
  );
};

/** What happened, oldest first unless turned round, with the notes and a field for the next one. */
export const Timeline = ({ alert }: { alert: AlertInfo }): ReactNode => {
  const [isNewestFirst, setNewestFirst] = useState(false);
  const { can } = useSession();
  const { day } = useStamps();
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
        {isNewestFirst && alert.next && <Next next={alert.next} />}
        {events.map((event, index) => (
          // Events have no id; those of an alert are only ever added.
          <EventRow
            key={`${event.kind} ${event.time.getTime()} ${isNewestFirst ? events.length - index : index}`}
            event={event}
            alert={alert}
          />
        ))}
        {!isNewestFirst && alert.next && <Next next={alert.next} />}
      </ol>
      {can("alerts.confirm") && <NoteForm alarmLogId={alert.alarmLogId} />}
    </Panel>
  );
};
