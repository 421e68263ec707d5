import type { ReactNode } from "react";
import classes from "./page-title.module.css";

interface PageTitleProps {
  children: ReactNode;
  /** At the left of the title. */
  before?: ReactNode;
  /** Below the title: what else the page's subject is called. */
  under?: ReactNode;
  /** Beside the title: what the page shows. */
  beside?: ReactNode;
  /** Notes and buttons at the right of the title. */
  aside?: ReactNode;
}

/** A page's only `h1`, with space for notes and buttons at the right. */
export const PageTitle = ({ children, before, under, beside, aside }: PageTitleProps) => (
  <div className={classes.row}>
    {before}
    {under ? (
      <div className={classes.subject}>
        <div className={classes.first}>
          <h1 className={classes.title}>{children}</h1>
          {beside}
        </div>
        {under}
      </div>
    ) : (
      <>
        <h1 className={classes.title}>{children}</h1>
        {beside}
      </>
    )}
    {aside && <div className={classes.aside}>{aside}</div>}
  </div>
);
