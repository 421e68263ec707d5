import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./entry-note.module.css";

interface EntryNoteProps {
  /** Something went wrong: amber, and said at once. */
  isCaution?: boolean;
  sentence: string;
  /** The way on. */
  children?: ReactNode;
}

/** What happened before this form was opened. It stays, unlike a notification: it may say what to do. */
export const EntryNote = ({ isCaution = false, sentence, children }: EntryNoteProps) => {
  const Icon = isCaution ? IconAlertTriangle : IconCheck;
  return (
    <div className={classes.note} data-caution={isCaution || undefined} role={isCaution ? "alert" : "status"}>
      <span className={classes.icon}>
        <Icon size={18} aria-hidden />
      </span>
      <div className={classes.text}>
        <b>{sentence}</b>
        {children}
      </div>
    </div>
  );
};
