import type { ReactNode } from "react";
import { StatusLabel, type StatusLook } from "./status-label.tsx";
import classes from "./status-legend.module.css";

interface StatusLegendProps {
  id: string;
  /** Each state of a list with what it means. */
  meanings: readonly (readonly [StatusLook, string])[];
}

/** What the states of a list's rows mean. */
export const StatusLegend = ({ id, meanings }: StatusLegendProps): ReactNode => (
  <div id={id} className={classes.legend}>
    <h2 className={classes.title}>Status legend</h2>
    <ul>
      {meanings.map(([look, meaning]) => (
        <li key={look.label}>
          <StatusLabel {...look} />
          <span>{meaning}</span>
        </li>
      ))}
    </ul>
  </div>
);
