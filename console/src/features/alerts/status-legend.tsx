import { AlertStatus } from "@telltale/contract/alerts";
import type { ReactNode } from "react";
import { alertStatusLook } from "../../format/alert-status.ts";
import { StatusLabel } from "../../ui/status-label.tsx";
import classes from "./status-legend.module.css";

const meanings: [AlertStatus, string][] = [
  [AlertStatus.triggered, "waiting for confirmation"],
  [AlertStatus.confirmed, "confirmed, the condition is still there"],
  [AlertStatus.cleared, "the condition has ended"],
];

/** What the three states of an entry mean. */
export const StatusLegend = ({ id }: { id: string }): ReactNode => (
  <div id={id} className={classes.legend}>
    <h2 className={classes.title}>Status legend</h2>
    <ul>
      {meanings.map(([status, meaning]) => (
        <li key={status}>
          <StatusLabel {...alertStatusLook(status)} />
          <span>{meaning}</span>
        </li>
      ))}
    </ul>
  </div>
);
