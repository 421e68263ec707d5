import type { ReactNode } from "react";
import { Link } from "../../../ui/router/link.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import classes from "./silent-chip.module.css";
import { useSilentCounts } from "./use-silent.ts";

/** The quiet count of what is silent, beside the lamp; nothing when nothing is. */
export const SilentChip = (): ReactNode => {
  const total = useSilentCounts()?.total ?? 0;
  if (total === 0) return null;
  return (
    <Link to="/alarms/silent" className={classes.chip}>
      <Glyph name="clock" size={15} />
      <b>{total}</b>
      <span>silent</span>
    </Link>
  );
};
