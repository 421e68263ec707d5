import { Link } from "@tanstack/react-router";
import classes from "./entry-fields.module.css";
import { EntryNote } from "./entry-note.tsx";

/** A support link that opens nothing: why, and where a new one comes from. It stays, unlike a notification. */
export const NoSupportView = ({ sentence }: { sentence: string }) => (
  <div className={classes.form}>
    <h1>Support view</h1>
    <EntryNote isCaution sentence={sentence}>
      <span>
        The operator of this server creates a new link; it works once, within 60 minutes. If you have a user of your
        own,{" "}
        <Link to="/login" className={classes.link}>
          log in
        </Link>{" "}
        instead.
      </span>
    </EntryNote>
  </div>
);
