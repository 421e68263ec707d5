import type { ReactNode } from "react";
import classes from "./missing.module.css";
import { missing } from "./time.ts";

/** Placeholder for a missing value in a cell: `--`, or the specification's own word for it. */
export const Missing = ({ children = missing }: { children?: string }): ReactNode => (
  <span className={classes.missing}>{children}</span>
);
