import { type ChannelRow, type LogPoint, ReadingStatus } from "@telltale/contract/channels";
import type { DeviceDetail } from "@telltale/contract/devices";
import { history } from "@telltale/contract/history";
import { detailPageSize } from "@telltale/contract/paging";
import type { Zone } from "../../format/zone.ts";
import { ListEnd } from "../../table/list-end.tsx";
import { usePages } from "../../table/use-pages.ts";
import { Glyph } from "../../ui/glyph.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import classes from "./readings-list.module.css";
import { shownValue } from "./shown-value.ts";
import type { LiveReading } from "./use-live-readings.ts";
import type { Readings } from "./use-readings.ts";

/** One row, stored or just come in. */
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

interface ReadingsListProps {
  readings: Readings;
  device: DeviceDetail;
  zone: Zone;
}

const useRows = ({ readings: { period, shown, live, channel }, device }: ReadingsListProps) => {
  // Pages are counted from the moment of loading; what came in later stands above them and moves none.
  const pages = usePages(
    history.points,
    {
      logId: period.logGroupId,
      timeZoneId: device.timeZoneId,
      startTime: new Date(shown.start),
      endTime: new Date(shown.end),
      ...(shown.isLive ? { deviceTimestamp: shown.end } : {}),
    },
    { size: detailPageSize },
  );
  const stored = pages.rows?.map(ofPoint);
  const newest = Math.max(shown.end, stored?.[0]?.time.getTime() ?? 0);
  const fresh = live.filter(({ time }) => time > newest).map((reading) => ofLive(reading, channel.unit));
  return { pages, rows: stored && [...fresh.reverse(), ...stored] };
};

/** LIST: the readings as a table, newest first. (spec 1 §2) */
export const ReadingsList = (props: ReadingsListProps) => {
  const { pages, rows } = useRows(props);
  const { zone, readings } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it only with the focus inside
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
          {rows === undefined && pages.isPending && <SkeletonRows columns={[0.5, 0.2]} />}
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
      <ListEnd pages={{ ...pages, rows }} empty="No readings in this range" />
    </section>
  );
};
