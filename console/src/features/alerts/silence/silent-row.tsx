import { type Icon, IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { durationText } from "../../../domain/alerts/duration.ts";
import { Person } from "../../../domain/alerts/person.tsx";
import { Missing } from "../../../ui/format/missing.tsx";
import { recentShort } from "../../../ui/format/time.ts";
import { Glyph } from "../../../ui/status/glyph.tsx";
import { useNow } from "../../../ui/use-now.ts";
import classes from "./silent-page.module.css";

/** A row of what is silent, whatever it is. */
export interface SilentEntry {
  key: string;
  kind: string;
  /** The clock where it is a silence with an end. */
  icon?: Icon;
  /** Amber: it has no end, or messages do not arrive. */
  isDue?: boolean;
  what: ReactNode;
  whatBelow: ReactNode;
  why: ReactNode;
  whyBelow?: ReactNode;
  by?: string | null;
  /** When it ends: by itself at a time, or by what. */
  ends: { start: Date; end: Date } | { cause: string };
  action?: ReactNode;
}

/** How much of a silence has passed, and when it ends; of one that is to come, when it begins. */
const End = ({ start, end }: { start: Date; end: Date }) => {
  const now = useNow(start.getTime());
  const passed = Math.min(1, Math.max(0, (now - start.getTime()) / (end.getTime() - start.getTime())));
  const isBegun = start.getTime() <= now;
  return (
    <span className={classes.end}>
      <i aria-hidden="true">
        <s style={{ width: `${Math.round(passed * 100)}%` }} />
      </i>
      <span>
        {isBegun ? recentShort(end) : `From ${recentShort(start)}`}
        <small>{isBegun ? `in ${durationText(end.getTime() - now)}` : `until ${recentShort(end)}`}</small>
      </span>
    </span>
  );
};

const Cause = ({ children, isDue }: { children: string; isDue: boolean }) => (
  <span className={isDue ? classes.noEnd : undefined}>
    {isDue && <IconAlertTriangle size={15} aria-hidden />}
    {children}
  </span>
);

export const SilentRow = ({ entry }: { entry: SilentEntry }): ReactNode => {
  const { kind, icon: KindIcon, isDue = false, what, whatBelow, why, whyBelow, by, ends, action } = entry;
  return (
    <tr>
      <th scope="row" className={isDue ? `${classes.kind} ${classes.due}` : classes.kind}>
        {KindIcon ? <KindIcon size={16} aria-hidden /> : <Glyph name="clock" size={15} />}
        {kind}
      </th>
      <td className={classes.stacked}>
        <b>{what}</b>
        <small>{whatBelow}</small>
      </td>
      <td className={classes.stacked}>
        <span>{why}</span>
        {whyBelow && <small>{whyBelow}</small>}
      </td>
      <td className={classes.by}>{by ? <Person name={by} /> : <Missing />}</td>
      <td>{"end" in ends ? <End {...ends} /> : <Cause isDue={isDue}>{ends.cause}</Cause>}</td>
      <td className={classes.action}>{action}</td>
    </tr>
  );
};
