import type { ReactNode } from "react";
import classes from "./panel.module.css";

interface PanelProps {
  /** Shown in the panel's head; without it there is no head. */
  title?: ReactNode;
  /** Content at the right of the head. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A bordered surface on the canvas. Panels are never nested. */
export const Panel = ({ title, aside, children, className }: PanelProps) => (
  <section className={`${classes.panel} ${className ?? ""}`}>
    {title !== undefined && (
      <div className={classes.head}>
        <h2>{title}</h2>
        {aside && <div className={classes.aside}>{aside}</div>}
      </div>
    )}
    {children}
  </section>
);
