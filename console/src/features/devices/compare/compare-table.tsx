import type { ReactNode } from "react";
import { exactDuration } from "../../../domain/alerts/duration.ts";
import { Panel } from "../../../ui/page/panel.tsx";
import { exactMomentText, momentText, percentOf } from "../chart/drawing/text.ts";
import { statisticsOf } from "../chart/truth/statistics.ts";
import { isBeyond } from "../chart/truth/thresholds.ts";
import classes from "./compare-table.module.css";
import { LineSign } from "./line-sign.tsx";
import { type Line, readingAt } from "./plots.ts";

const whole = { start: 0, end: 100 };

const Value = ({ line: { model }, value }: { line: Line; value: number | null | undefined }): ReactNode =>
  value === null || value === undefined ? "--" : model.show(value);

const isInAlarm = ({ model }: Line, value: number | null | undefined): boolean =>
  model.thresholds.some((threshold) => isBeyond(value ?? null, threshold));

const Row = ({ line, cursor }: { line: Line; cursor: number | undefined }) => {
  const { model, place, deviceName } = line;
  const { min, mean, max, inAlarm } = statisticsOf(model, whole);
  const now = readingAt(model, cursor ?? model.range.end)?.[1];
  const isSwitch = model.kind === "switch";
  const isJudged = model.thresholds.length > 0 || model.spans.length > 0;
  return (
    <tr>
      <td>
        <LineSign place={place} />
      </td>
      <th scope="row">
        {model.name} <small>{deviceName}</small>
      </th>
      <td data-red={isInAlarm(line, now) || undefined}>
        <b>
          <Value line={line} value={now} />
        </b>
      </td>
      <td>{isSwitch ? "--" : <Value line={line} value={min?.value} />}</td>
      <td>{isSwitch && mean !== undefined ? `ON ${percentOf(mean)}` : <Value line={line} value={mean} />}</td>
      <td>{isSwitch ? "--" : <Value line={line} value={max?.value} />}</td>
      <td>{isJudged ? exactDuration(inAlarm) : "no limit"}</td>
    </tr>
  );
};

interface CompareTableProps {
  lines: readonly Line[];
  /** The moment under the shared cursor; undefined without one. */
  cursor: number | undefined;
}

/** Each channel at the cursor, and its statistics of the window. */
export const CompareTable = ({ lines, cursor }: CompareTableProps) => {
  const model = lines[0]?.model;
  if (!model) return null;
  const { start, end } = model.range;
  return (
    <Panel className={classes.panel ?? ""}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Statistics" tabIndex={0}>
        <table className={classes.table} aria-label="Statistics">
          <thead>
            <tr>
              <td />
              <th scope="col">
                CHANNEL, {momentText(model, start)} ~ {momentText(model, end)}
              </th>
              <th scope="col">{cursor === undefined ? "LAST" : `AT ${exactMomentText(model, cursor)}`}</th>
              <th scope="col">MIN</th>
              <th scope="col">MEAN</th>
              <th scope="col">MAX</th>
              <th scope="col">TIME IN ALARM</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Row key={line.channelId} line={line} cursor={cursor} />
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
};
