import type { ReactNode } from "react";
import classes from "./terms.module.css";

interface TermProps {
  name: string;
  children: ReactNode;
  /** Takes the room of two. */
  isWide?: boolean;
}

/** What one thing is set to. */
export const Term = ({ name, children, isWide = false }: TermProps) => (
  <div className={isWide ? classes.wide : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Many small settings side by side, in as many columns of `--term-width` as there is room for. */
export const Terms = ({ children }: { children: ReactNode }) => <dl className={classes.settings}>{children}</dl>;
