import type { ReactNode } from "react";
import { Glyph, type GlyphName } from "./glyph.tsx";
import classes from "./status-label.module.css";

/** Visual weight of a status: of a device, of an alert entry, or of anything else (`plain`, `strong`, `faint`). */
export type StatusTone =
  | "alarm"
  | "normal"
  | "inactive"
  | "offline"
  | "due"
  | "triggered"
  | "confirmed"
  | "cleared"
  | "silent"
  | "plain"
  | "strong"
  | "faint";

/** The appearance of a status. */
export interface StatusLook {
  glyph: GlyphName;
  tone: StatusTone;
  label: string;
}

/** A status, shown by shape, text and weight together, never by colour alone. */
export const StatusLabel = ({ glyph, tone, label }: StatusLook): ReactNode => (
  <span className={classes.status} data-tone={tone}>
    <Glyph name={glyph} />
    <span>{label}</span>
  </span>
);
