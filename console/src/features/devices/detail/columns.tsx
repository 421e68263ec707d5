import type { ReactNode } from "react";
import classes from "./columns.module.css";

interface ColumnsProps {
  /** The narrow column at the left. */
  list: ReactNode;
  children: ReactNode;
}

/** The channel list beside the selected channel; on a screen without room for both above it, and on a phone below its readings. */
export const Columns = ({ list, children }: ColumnsProps) => (
  <div className={classes.columns}>
    <div className={classes.list}>{list}</div>
    <div className={classes.main}>{children}</div>
  </div>
);
