import type { DownloadRecord } from "@telltale/contract/domains/readings/downloads";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import type { Column } from "../../table/column.tsx";
import { days, text } from "../../table/filters/filters.ts";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { dateTime } from "../../ui/format/time.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./history-columns.module.css";

/** Filters of the history. */
export const historyFilters = {
  deviceSn: text("deviceSn"),
  deviceSnId: text("deviceSnId"),
  deviceName: text("deviceName"),
  complete: days("statTime", "endTime"),
};

/** The days of the data in the device's time zone, in which they were selected. */
const periodOf = ({ startTime, endTime, timeZoneId }: DownloadRecord): string => {
  const zone = zoneOf(timeZoneId);
  return `${zone.day(startTime)} ~ ${zone.day(endTime)}`;
};

/** The columns of the download history, in the specified order. (spec 1 §2) */
export const historyColumns = (
  by: Readonly<Record<keyof typeof historyFilters, FilterInForce>>,
): Column<DownloadRecord>[] => [
  {
    key: "deviceSn",
    head: "DEVICE",
    width: 130,
    filter: by.deviceSn,
    cell: ({ deviceSn }) => deviceSn,
  },
  {
    key: "deviceSnId",
    head: "DEVICE ID",
    width: 140,
    narrow: "top-end",
    filter: by.deviceSnId,
    cell: ({ deviceId, deviceSnId }) => (
      <Link to="/devicesDetail" search={{ deviceId }} className={classes.id}>
        {deviceSnId}
      </Link>
    ),
  },
  {
    key: "deviceName",
    head: "DEVICE NAME",
    width: 180,
    narrow: "top-main",
    filter: by.deviceName,
    cell: ({ deviceName }) => (
      <span className={classes.name} title={deviceName}>
        {deviceName}
      </span>
    ),
  },
  { key: "period", head: "DATA PERIOD", width: 210, narrow: "below-main", cell: periodOf },
  {
    key: "complete",
    head: "DOWNLOAD COMPLETE",
    width: 180,
    narrow: "below-end",
    filter: by.complete,
    cell: ({ createdTime }) => dateTime(createdTime),
  },
];
