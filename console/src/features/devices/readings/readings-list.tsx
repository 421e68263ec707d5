import { detailPageSize } from "@telltale/contract/call/paging";
import { type ChannelRow, type Chart, type LogPoint, ReadingStatus } from "@telltale/contract/domains/channels";
import type { DeviceDetail } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import type { Zone } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { shownValue } from "../../../domain/shown-value.ts";
import { ListEnd } from "../../../table/list-end.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { SkeletonRows } from "../../../ui/page/skeleton-rows.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import { NoReadings } from "../detail/no-readings.tsx";
import classes from "./readings-list.module.css";
import type { LiveReading } from "./use-live-readings.ts";
import type { Readings } from "./use-readings.ts";

/** One row, stored or live. */
interface Row {
  time: Date;
  value: number | null;
  unit: string;
  status: number;
}

const ofPoint = (point: LogPoint): Row => ({
  time: point.deviceTimestamp,
  value: point.value,
  unit: point.valueUnit,
  status: point.status,
});

const ofLive = ({ time, value, status }: LiveReading, unit: string): Row => ({
  time: new Date(time),
  value,
  unit,
  status,
});

const Value = ({ channel, row }: { channel: ChannelRow; row: Row }) => {
  const shown = shownValue(channel, row);
  const isAlarm = row.status === ReadingStatus.alarm;
  return (
    <span className={classes.value} data-alarm={isAlarm || undefined}>
      {isAlarm && <Glyph name="diamond-solid-bang" size={12} />}
      {isAlarm && <span className={classes.spoken}>In alarm: </span>}
      {shown.text} {shown.unit && <small>{shown.unit}</small>}
    </span>
  );
};

/** The rows of a time range. Pages are counted from its end, so that live rows, which are shown above them, do not shift any. */
const useRows = ({ source, live, channel }: Readings, { from, to }: Chart, timeZoneId: string) => {
  const pages = usePages(
    history.points,
    {
      ...source,
      timeZoneId,
      startTime: new Date(from),
      endTime: new Date(Math.max(from, to)),
      deviceTimestamp: to,
    },
    { size: detailPageSize },
  );
  const stored = pages.rows?.map(ofPoint);
  const newest = stored?.[0]?.time.getTime() ?? Number.NEGATIVE_INFINITY;
  const fresh = live.filter(({ time }) => time > newest).map((reading) => ofLive(reading, channel.unit));
  return { pages, rows: stored && [...fresh.reverse(), ...stored] };
};

interface ReadingsListProps {
  readings: Readings;
  device: DeviceDetail;
  zone: Zone;
}

interface RowsProps extends Omit<ReadingsListProps, "device"> {
  rows: Row[] | undefined;
  footer: ReactNode;
}

const Rows = ({ readings, zone, rows, footer }: RowsProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section className={classes.scroll} aria-label="Readings" tabIndex={0}>
    <table className={classes.table} aria-busy={rows === undefined}>
      <thead>
        <tr>
          <th scope="col">TIME</th>
          <th scope="col" className={classes.number}>
            VALUE
          </th>
        </tr>
      </thead>
      <tbody>
        {rows === undefined && <SkeletonRows columns={[0.5, 0.2]} />}
        {rows?.map((row) => (
          <tr key={row.time.getTime()}>
            <td>{zone.stamp(row.time)}</td>
            <td className={classes.number}>
              <Value channel={readings.channel} row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    {footer}
  </section>
);

const allSummarised = "The readings of this range are kept as summaries of hours, which GRAPHIC shows";
const earlierSummarised = "Earlier readings are kept as summaries of hours, which GRAPHIC shows";

const KnownRows = ({ readings, device, zone, overview }: ReadingsListProps & { overview: Chart }) => {
  const { pages, rows } = useRows(readings, overview, device.timeZoneId);
  const isEmpty = rows?.length === 0 && !pages.error;
  // The line counts also readings whose hours are kept as summaries only.
  const isSummarised = pages.rows !== undefined && !pages.hasMore && overview.count > pages.rows.length;
  const isWithoutReadings = isEmpty && !isSummarised;
  const footer = isWithoutReadings ? (
    <NoReadings readings={readings} zone={zone} />
  ) : (
    <ListEnd pages={{ ...pages, rows }} empty={allSummarised} {...(isSummarised && { end: earlierSummarised })} />
  );
  return <Rows {...{ readings, zone, footer }} rows={pages.isPending ? undefined : (rows ?? [])} />;
};

/** LIST: the readings as a table, newest first. (spec 1 §2) */
export const ReadingsList = (props: ReadingsListProps) => {
  const { overview, error, refresh } = props.readings;
  // The range comes from the server, because the browser's clock may be wrong.
  if (overview) return <KnownRows {...props} overview={overview} />;
  return (
    <Rows {...props} rows={error ? [] : undefined} footer={error && <ErrorState error={error} onRetry={refresh} />} />
  );
};
