import type { ReactNode } from "react";
import classes from "./missing.module.css";
import { missing } from "./time.ts";

/** Stands in a cell for what is not there: `--`, or the specification's own word for it. */
export const Missing = ({ children = missing }: { children?: string }): ReactNode => (
  <span className={classes.missing}>{children}</span>
);
