import type { ReactNode } from "react";
import classes from "./facts.module.css";

interface FactProps {
  label: string;
  children: ReactNode;
  /** Shown lighter behind the value: °F, minutes. */
  unit?: string;
}

/** One labelled value of a device. */
export const Fact = ({ label, children, unit }: FactProps) => (
  <div className={classes.fact}>
    <dt>{label}</dt>
    <dd>
      {children}
      {unit && <small> {unit}</small>}
    </dd>
  </div>
);

/** Labelled values in a row; on a narrow screen in a column. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>;
