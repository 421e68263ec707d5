import type { ReactNode } from "react";
import type { Sample } from "../../../domain/samples.ts";
import { useIsLost } from "../../../session/live/live.ts";
import { roles } from "../../../table/roles.ts";
import { Panel } from "../../../ui/page/panel.tsx";
import { exactMomentText, momentText, percentOf } from "../chart/drawing/text.ts";
import { alarmTimeOf, statisticsOf } from "../chart/truth/statistics.ts";
import { isBeyond } from "../chart/truth/thresholds.ts";
import classes from "./compare-table.module.css";
import { LineSign } from "./line-sign.tsx";
import { hasReadings, type Line, readingAt } from "./plots.ts";

/** Spelled out, as `roles`: a row is laid out as a box where there is little room. */
const rowHead = { role: "rowheader" };

const whole = { start: 0, end: 100 };

const Value = ({ line: { model }, value }: { line: Line; value: number | null | undefined }): ReactNode =>
  value === null || value === undefined ? "--" : model.show(value);

const isInAlarm = ({ model }: Line, reading: Sample | undefined): boolean =>
  reading !== undefined && model.thresholds.some((threshold) => isBeyond(reading, threshold));

interface StatisticProps {
  name: string;
  /** More about the figure. */
  title?: string | undefined;
  children: ReactNode;
}

/** A cell that says what it is, where the table has no room for columns. */
const Statistic = ({ name, title, children }: StatisticProps) => (
  <td {...roles.cell} data-name={name} title={title}>
    {children}
  </td>
);

const Row = ({ line, cursor }: { line: Line; cursor: number | undefined }) => {
  const { model, place, deviceName } = line;
  const statistics = statisticsOf(model, whole);
  const { min, mean, max, inAlarm } = statistics;
  const alarmTime = alarmTimeOf(model, statistics);
  const reading = readingAt(model, cursor ?? model.range.end);
  const isSwitch = model.kind === "switch";
  const isJudged = model.thresholds.length > 0 || model.spans.length > 0;
  // At the cursor it is of the past, and stays what it was.
  const isOld = useIsLost() && cursor === undefined;
  const isKnown = hasReadings(model) || inAlarm > 0;
  const timeInAlarm = isJudged ? isKnown ? alarmTime.text : <Value line={line} value={undefined} /> : "no limit";
  return (
    <tr {...roles.row}>
      <td {...roles.cell}>
        <LineSign place={place} />
      </td>
      <th {...rowHead} scope="row">
        {model.name} <small>{deviceName}</small>
      </th>
      <td {...roles.cell} data-red={isInAlarm(line, reading) || undefined} data-lost={isOld || undefined}>
        <b>
          <Value line={line} value={reading?.[1]} />
        </b>
      </td>
      <Statistic name="MIN">{isSwitch ? "--" : <Value line={line} value={min?.value} />}</Statistic>
      <Statistic name="MEAN">
        {isSwitch && mean !== undefined ? `ON ${percentOf(mean)}` : <Value line={line} value={mean} />}
      </Statistic>
      <Statistic name="MAX">{isSwitch ? "--" : <Value line={line} value={max?.value} />}</Statistic>
      <Statistic name="TIME IN ALARM" title={alarmTime.reason}>
        {timeInAlarm}
      </Statistic>
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
        <table {...roles.table} className={classes.table} aria-label="Statistics">
          <thead {...roles.group}>
            <tr {...roles.row}>
              <td />
              <th {...roles.head} scope="col">
                CHANNEL, {momentText(model, start)} ~ {momentText(model, end)}
              </th>
              <th {...roles.head} scope="col">
                {cursor === undefined ? "LAST" : `AT ${exactMomentText(model, cursor)}`}
              </th>
              <th {...roles.head} scope="col">
                MIN
              </th>
              <th {...roles.head} scope="col">
                MEAN
              </th>
              <th {...roles.head} scope="col">
                MAX
              </th>
              <th {...roles.head} scope="col">
                TIME IN ALARM
              </th>
            </tr>
          </thead>
          <tbody {...roles.group}>
            {lines.map((line) => (
              <Row key={line.channelId} line={line} cursor={cursor} />
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
};
