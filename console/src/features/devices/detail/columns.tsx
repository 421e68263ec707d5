import type { ReactNode } from "react";
import classes from "./columns.module.css";

interface ColumnsProps {
  /** The narrow column at the left. */
  list: ReactNode;
  children: ReactNode;
}

/** The channel list beside the selected channel; on narrow screens above it. */
export const Columns = ({ list, children }: ColumnsProps) => (
  <div className={classes.columns}>
    {list}
    <div className={classes.main}>{children}</div>
  </div>
);

/** The general facts beside the attributes that the device reports; on narrow screens above them. */
export const Heads = ({ children }: { children: ReactNode }) => <div className={classes.heads}>{children}</div>;
