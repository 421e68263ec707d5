import { Textarea } from "@mantine/core";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { longestNote } from "@telltale/contract/domains/alerts";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import classes from "./timeline.module.css";

/** Adds a note to the alert, also after it has cleared. */
export const NoteForm = ({ alarmLogId }: { alarmLogId: number }): ReactNode => {
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
