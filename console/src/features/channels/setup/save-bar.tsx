import { Button } from "@mantine/core";
import { counted } from "@telltale/contract/counted";
import type { ReactNode } from "react";
import classes from "./save-bar.module.css";

interface SaveBarProps {
  changes: number;
  channels: number;
  /** Settings that keep it from being saved, once somebody has tried. */
  faults: number;
  onDiscard: () => void;
  onSave: () => void;
}

/** What is changed and not saved, with the button that saves it; it stays in sight. */
export const SaveBar = ({ changes, channels, faults, onDiscard, onSave }: SaveBarProps): ReactNode => (
  <section className={classes.bar} aria-label="Changes">
    <p role="status">
      {changes === 0 ? "No changes" : `${counted(changes, "change")} in ${counted(channels, "channel")}`}
      {faults > 0 && <b>{faults} to put right</b>}
    </p>
    {changes > 0 && (
      <Button variant="default" onClick={onDiscard}>
        Discard changes
      </Button>
    )}
    <Button onClick={onSave}>Save all</Button>
  </section>
);
