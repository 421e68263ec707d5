import type { ReactNode } from "react";
import classes from "./page-title.module.css";

interface PageTitleProps {
  children: ReactNode;
  /** Beside the title: what the page shows. */
  beside?: ReactNode;
  /** Notes and buttons at the right of the title. */
  aside?: ReactNode;
}

/** A page's only `h1`, with space for notes and buttons at the right. */
export const PageTitle = ({ children, beside, aside }: PageTitleProps) => (
  <div className={classes.row}>
    <h1 className={classes.title}>{children}</h1>
    {beside}
    {aside && <div className={classes.aside}>{aside}</div>}
  </div>
);
