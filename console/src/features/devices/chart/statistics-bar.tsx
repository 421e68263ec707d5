import type { ReactNode } from "react";
import { exactDuration } from "../../../domain/alerts/duration.ts";
import type { ChartModel, Zoom } from "./drawing/chart-model.ts";
import { momentText, percentOf } from "./drawing/text.ts";
import classes from "./statistics-bar.module.css";
import { type At, alarmTimeOf, statisticsOf } from "./truth/statistics.ts";

interface ItemProps {
  label: string;
  children: ReactNode;
  note?: ReactNode;
  isRed?: boolean;
  /** More about the figure. */
  title?: string | undefined;
}

const Item = ({ label, children, note, isRed, title }: ItemProps) => (
  <div data-red={isRed || undefined} title={title}>
    <dt>{label}</dt>
    <dd>
      {children} {note !== undefined && <small>{note}</small>}
    </dd>
  </div>
);

const Extreme = ({ label, at, model }: { label: string; at: At | undefined; model: ChartModel }) => (
  <Item label={label} note={at && momentText(model, at.time)}>
    {at ? model.show(at.value) : "--"}
  </Item>
);

interface StatisticsBarProps {
  model: ChartModel;
  zoom: Zoom;
  /** Number of readings in the whole range; undefined where the line alone tells. */
  count: number | undefined;
}

/** The statistics of what is in view. */
export const StatisticsBar = ({ model, zoom, count }: StatisticsBarProps) => {
  const found = statisticsOf(model, zoom);
  const { points, min, max, mean, inAlarm, noData, length } = found;
  const isWhole = zoom.end - zoom.start > 99.9;
  const readings = count === undefined ? points : isWhole ? count : undefined;
  const share = (part: number) => (part > 0 ? percentOf(part / length) : undefined);
  const alarmTime = alarmTimeOf(model, found);
  const isJudged = model.thresholds.length > 0 || model.spans.length > 0;
  return (
    <dl className={classes.statistics} aria-label="Statistics of what is in view">
      {readings !== undefined && <Item label="Readings">{readings}</Item>}
      {model.kind === "switch" ? (
        <Item label="ON">{mean === undefined ? "--" : percentOf(mean)}</Item>
      ) : (
        <>
          <Extreme label="Min" at={min} model={model} />
          <Item label="Mean">{mean === undefined ? "--" : model.show(mean)}</Item>
          <Extreme label="Max" at={max} model={model} />
        </>
      )}
      <Item label="Time in alarm" note={share(inAlarm)} isRed={inAlarm > 0} title={alarmTime.reason}>
        {isJudged ? alarmTime.text : "no limit"}
      </Item>
      {noData > 0 && (
        <Item label="No data" note={share(noData)}>
          {exactDuration(noData)}
        </Item>
      )}
    </dl>
  );
};
