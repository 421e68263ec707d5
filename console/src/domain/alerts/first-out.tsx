import type { LoggedAlert } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { durationText } from "./duration.ts";

/** A window with a 1: the first alert of several. Decorative, because its label is beside it. */
export const FirstOutGlyph = (): ReactNode => (
  <svg width={14} height={14} viewBox="0 0 16 16" style={{ flex: "none" }} aria-hidden="true">
    <rect x="1.6" y="1.6" width="12.8" height="12.8" rx="1" fill="none" stroke="currentColor" strokeWidth="1.6" />
    <path d="M6 6.1 8.5 4.5v7.2M6 11.6h5" fill="none" stroke="currentColor" strokeWidth="1.6" />
  </svg>
);

type Placed = Pick<LoggedAlert, "firstOf" | "follows">;

/** The place of an alert among those of its family within a minute: 'First of 3', '28 s after Wet well high'; undefined of one that stands alone. */
export const orderText = ({ firstOf, follows }: Placed): string | undefined => {
  if (firstOf !== null) return `First of ${firstOf}`;
  return follows ? `${durationText(follows.seconds * 1000)} after ${follows.name}` : undefined;
};

/** The glyph with its label, at the first alert of several. */
export const FirstOutMark = ({ of }: { of: number | null | undefined }): ReactNode =>
  of ? (
    <span role="img" aria-label={`First-out, first of ${of}`} title={`First-out, first of ${of}`}>
      <FirstOutGlyph />
    </span>
  ) : null;
