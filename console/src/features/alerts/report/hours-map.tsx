import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import { count, counted } from "@telltale/contract/text/counted";
import { monthOf, monthTitle } from "@telltale/contract/text/months";
import type { ReactNode } from "react";
import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./hours-map.module.css";

/** In units of the drawing, which is scaled to the panel's width. */
const [left, cellWidth, cellHeight, bottom] = [56, 19.8, 12.6, 26];
const [width, height] = [left + 31 * cellWidth, 24 * cellHeight + bottom];

/** From this many alerts an hour is as dark as it gets. */
const darkest = 10;
/** Opacities of the steps between none and the darkest. */
const steps = [0.16, 0.36, 0.6, 1] as const;

const opacityOf = (alerts: number): number =>
  alerts >= darkest ? 1 : (steps[Math.floor((alerts / darkest) * (steps.length - 1))] ?? 1);

type Day = AlertReport["days"][number];

const hourText = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

const Cell = ({ day, at, hour, alerts }: { day: Day; at: number; hour: number; alerts: number }) => (
  <rect
    x={left + at * cellWidth}
    y={hour * cellHeight}
    width={cellWidth - 1.5}
    height={cellHeight - 1.2}
    {...(alerts === 0 ? { className: classes.none } : { className: classes.some, opacity: opacityOf(alerts) })}
  >
    <title>
      {day.day} {hourText(hour)}: {counted(alerts, "alert")}
      {day.floodHours.includes(hour) ? ", in flood" : ""}
    </title>
  </rect>
);

/** Frames around consecutive hours in flood. */
const framesOf = ({ floodHours }: Day): { from: number; to: number }[] => {
  const frames: { from: number; to: number }[] = [];
  for (const hour of floodHours) {
    const last = frames.at(-1);
    if (last?.to === hour) last.to = hour + 1;
    else frames.push({ from: hour, to: hour + 1 });
  }
  return frames;
};

const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });

/** The first day and each Monday that is not close to it. */
const labelsOf = (days: readonly Day[]): { at: number; text: string }[] =>
  days.flatMap(({ day }, at) => {
    const date = new Date(`${day}T00:00Z`);
    if (at > 0 && (date.getUTCDay() !== 1 || at < 3)) return [];
    return [{ at, text: `${weekday.format(date)} ${date.getUTCDate()}` }];
  });

/** What the drawing shows, for those who do not see it. */
const summaryOf = ({ days, month, total }: AlertReport): string => {
  const [most = 0, day = "", hour = 0] = days
    .flatMap(({ day, hours }) => hours.map((alerts, hour) => [alerts, day, hour] as const))
    .reduce<readonly [number, string, number]>((best, each) => (each[0] > best[0] ? each : best), [0, "", 0]);
  return `Alerts an hour in ${monthTitle(monthOf(month))}: ${count(total)} in all, at most ${count(most)}, on ${day} from ${hourText(hour)}`;
};

const Key = () => (
  <span className={classes.key} aria-hidden>
    0 <i className={classes.empty} />
    {steps.map((opacity) => (
      <i key={opacity} style={{ opacity }} />
    ))}{" "}
    {darkest} and more <i className={classes.framed} /> flood
  </span>
);

/** Alerts by day and hour. */
export const HoursMap = ({ report }: { report: AlertReport }): ReactNode => {
  const title = (
    <>
      Alerts an hour <small className={classes.beside}>one column a day</small>
    </>
  );
  return (
    <Panel title={title} aside={<Key />}>
      <svg className={classes.map} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summaryOf(report)}>
        {[0, 6, 12, 18].map((hour) => (
          <text key={hour} x={left - 6} y={hour * cellHeight + 1} dominantBaseline="hanging" textAnchor="end">
            {hourText(hour)}
          </text>
        ))}
        {report.days.map((day, at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day
          day.hours.map((alerts, hour) => <Cell key={`${day.day} ${hour}`} {...{ day, at, hour, alerts }} />),
        )}
        {report.days.flatMap((day, at) =>
          framesOf(day).map(({ from, to }) => (
            <rect
              key={`${day.day} ${from}`}
              className={classes.frame}
              x={left + at * cellWidth - 1}
              y={from * cellHeight - 1}
              width={cellWidth + 0.5}
              height={(to - from) * cellHeight + 0.8}
            />
          )),
        )}
        {labelsOf(report.days).map(({ at, text }) => (
          <text key={at} x={left + (at + 0.5) * cellWidth} y={height - 8} textAnchor="middle">
            {text}
          </text>
        ))}
      </svg>
    </Panel>
  );
};
