import type { ReactNode } from "react";
import classes from "./columns.module.css";

interface ColumnsProps {
  /** The narrow column at the left. */
  list: ReactNode;
  children: ReactNode;
}

/** The channels beside what is shown of one; on narrow screens above it. */
export const Columns = ({ list, children }: ColumnsProps) => (
  <div className={classes.columns}>
    {list}
    <div className={classes.main}>{children}</div>
  </div>
);

/** The general facts beside what the device says of itself; on narrow screens above it. */
export const Heads = ({ children }: { children: ReactNode }) => <div className={classes.heads}>{children}</div>;
