import type { ReactNode } from "react";
import classes from "./terms.module.css";

interface TermProps {
  name: string;
  children: ReactNode;
  /** Spans two columns. */
  isWide?: boolean;
}

/** One setting: name and value. */
export const Term = ({ name, children, isWide = false }: TermProps) => (
  <div className={isWide ? classes.wide : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Small settings side by side, in as many columns of `--term-width` as fit. */
export const Terms = ({ children }: { children: ReactNode }) => <dl className={classes.settings}>{children}</dl>;
