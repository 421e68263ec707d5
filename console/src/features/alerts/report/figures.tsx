import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import {
  prioritiesInPercent,
  type ReportFigure,
  reportFigures,
} from "@telltale/contract/domains/alerting/report-figures";
import type { ReactNode } from "react";
import { Glyph } from "../../../ui/status/glyph.tsx";
import classes from "./figures.module.css";

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;

const Bar = ({ share, mark }: ReportFigure) => (
  <div className={classes.bar} aria-hidden>
    <s style={{ width: percent(share) }} />
    {mark !== null && <u style={{ left: percent(mark) }} />}
  </div>
);

/** The shares of P1, P2 and P3 side by side. */
const Mix = ({ report }: { report: AlertReport }) => (
  <div className={classes.mix} aria-hidden>
    {prioritiesInPercent(report).map((share, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the three priorities
      <s key={at} style={{ width: `${share}%` }} />
    ))}
  </div>
);

const Figure = ({ figure, children }: { figure: ReportFigure; children: ReactNode }) => (
  <div className={classes.figure} data-outcome={figure.outcome}>
    <dt>{figure.label}</dt>
    <dd>
      <span>
        {figure.value} {figure.unit && <small>{figure.unit}</small>}
      </span>
      <span className={classes.target}>
        {figure.outcome === "met" && (
          <>
            <Glyph name="tick" size={11} />
            <span className={classes.spoken}>met: </span>
          </>
        )}
        {figure.target}
      </span>
      {children}
    </dd>
  </div>
);

/** The ten figures beside their targets. */
export const Figures = ({ report }: { report: AlertReport }): ReactNode => (
  <dl className={classes.figures} aria-label="Figures of the month">
    {reportFigures(report).map((figure) => (
      <Figure key={figure.label} figure={figure}>
        {figure.label.startsWith("P1") ? <Mix report={report} /> : <Bar {...figure} />}
      </Figure>
    ))}
  </dl>
);
