import { Link } from "@tanstack/react-router";
import type { DownloadRecord } from "@telltale/contract/domains/downloads";
import type { Column } from "../../table/column.tsx";
import { days, text } from "../../table/filters/filters.ts";
import type { FilterInForce } from "../../table/filters/use-filters.ts";
import { dateTime } from "../../ui/format/time.ts";
import { zoneOf } from "../../ui/format/zone.ts";
import classes from "./history-columns.module.css";

/** What the history can be filtered by. */
export const historyFilters = {
  deviceSn: text("deviceSn"),
  deviceSnId: text("deviceSnId"),
  deviceName: text("deviceName"),
  complete: days("statTime", "endTime"),
};

export const historyHeads = {
  deviceSn: "DEVICE",
  deviceSnId: "DEVICE ID",
  deviceName: "DEVICE NAME",
  complete: "DOWNLOAD COMPLETE",
} as const;

/** The days of the data on the device's clock, on which they were chosen. */
const periodOf = ({ startTime, endTime, timeZoneId }: DownloadRecord): string => {
  const zone = zoneOf(timeZoneId);
  return `${zone.day(startTime)} ~ ${zone.day(endTime)}`;
};

/** The columns of the download history, in the specified order. (spec 1 §2) */
export const historyColumns = (
  by: Readonly<Record<keyof typeof historyHeads, FilterInForce>>,
): Column<DownloadRecord>[] => [
  {
    key: "deviceSn",
    head: historyHeads.deviceSn,
    width: 130,
    filter: by.deviceSn,
    cell: ({ deviceSn }) => deviceSn,
  },
  {
    key: "deviceSnId",
    head: historyHeads.deviceSnId,
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
    head: historyHeads.deviceName,
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
    head: historyHeads.complete,
    width: 180,
    narrow: "below-end",
    filter: by.complete,
    cell: ({ createdTime }) => dateTime(createdTime),
  },
];
