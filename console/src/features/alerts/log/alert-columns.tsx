import { type AlertRow, AlertStatus, alertClassLabels, type LoggedAlert } from "@telltale/contract/domains/alerts";
import { alertValue } from "../../../domain/alerts/alert-text.ts";
import { FirstOutMark } from "../../../domain/alerts/first-out.tsx";
import type { Column } from "../../../table/column.tsx";
import type { FilterInForce } from "../../../table/filters/use-filters.ts";
import { Missing } from "../../../ui/format/missing.tsx";
import classes from "../alert-cells.module.css";
import {
  ConfirmedByCell,
  DeviceIdCell,
  EntryLink,
  MessageCell,
  MomentCell,
  NameCell,
  StatusCell,
  ThresholdCell,
  TypeCell,
  ValueCell,
} from "../alert-cells.tsx";

/** What the columns depend on. */
export interface ColumnNeeds {
  /** The active filters, by the names of alert-filters.ts. */
  by: Readonly<Record<string, FilterInForce>>;
  /** Opens the confirmation; absent in a read-only view. */
  onConfirm: ((alert: AlertRow) => void) | undefined;
}

/** Only the log tells which alert was the first of several. */
type AlertColumn = Column<AlertRow & Partial<Pick<LoggedAlert, "firstOf">>>;

const statusColumn = (by: ColumnNeeds["by"], width: number): AlertColumn => ({
  key: "status",
  head: "STATUS",
  width,
  pin: "start",
  narrow: "top",
  filter: by.status,
  cell: ({ status, isSilent }) => <StatusCell status={status} isSilent={isSilent} />,
});

const classColumn = (by: ColumnNeeds["by"], width: number): AlertColumn => ({
  key: "alert",
  head: "ALERT",
  width,
  filter: by.alert,
  cell: (alert) => <EntryLink alert={alert}>{alertClassLabels[alert.alarmClass]}</EntryLink>,
});

const typeColumn = (by: ColumnNeeds["by"], width: number): AlertColumn => ({
  key: "type",
  head: "TYPE",
  width,
  narrow: "below",
  filter: by.type,
  cell: ({ alarmType }) => <TypeCell type={alarmType} />,
});

/** VALUE and THRESHOLD, with 2 decimals and the unit. */
const valueColumns = ([value, threshold]: readonly [number, number]): AlertColumn[] => [
  {
    key: "value",
    head: "VALUE",
    width: value,
    align: "end",
    narrow: "top-end",
    cell: (alert) =>
      alert.value === null ? (
        <Missing />
      ) : (
        <ValueCell isAlarming={alert.status !== AlertStatus.cleared}>{alertValue(alert.value, alert)}</ValueCell>
      ),
  },
  {
    key: "threshold",
    head: "THRESHOLD",
    width: threshold,
    align: "end",
    cell: (alert) =>
      alert.threshold === null ? <Missing /> : <ThresholdCell>{alertValue(alert.threshold, alert)}</ThresholdCell>,
  },
];

/** TRIGGERED, CONFIRMED and CLEARED, with the given widths. */
const momentColumns = (by: ColumnNeeds["by"], widths: readonly [number, number, number]): AlertColumn[] => {
  const isStacked = widths[0] < 150;
  return [
    {
      key: "triggered",
      head: "TRIGGERED",
      width: widths[0],
      narrow: "below",
      filter: by.triggered,
      cell: ({ createdTime, firstOf }) => (
        <span className={classes.first}>
          <MomentCell moment={createdTime} isStacked={isStacked} />
          <FirstOutMark of={firstOf} />
        </span>
      ),
    },
    {
      key: "confirmed",
      head: "CONFIRMED",
      width: widths[1],
      filter: by.confirmed,
      cell: ({ acceptTime }) => <MomentCell moment={acceptTime} isStacked={isStacked} />,
    },
    {
      key: "cleared",
      head: "CLEARED",
      width: widths[2],
      filter: by.cleared,
      cell: ({ modifiedTime }) => <MomentCell moment={modifiedTime} isStacked={isStacked} />,
    },
  ];
};

const confirmedByColumn = ({ by, onConfirm }: ColumnNeeds, width: number): AlertColumn => ({
  key: "confirmedBy",
  head: "CONFIRMED BY",
  width,
  pin: "end",
  narrow: "action",
  filter: by.confirmedBy,
  cell: (alert) => (
    <ConfirmedByCell status={alert.status} name={alert.acceptName} onConfirm={onConfirm && (() => onConfirm(alert))} />
  ),
});

/** The source: CHANNEL, DEVICE NAME, DEVICE ID. An alert about a whole device shows its message instead of a channel. */
const sourceColumns = (by: ColumnNeeds["by"]): AlertColumn[] => [
  {
    key: "channel",
    head: "CHANNEL",
    width: 120,
    least: 90,
    narrow: "top-main",
    filter: by.channel,
    cell: ({ channelName, msg }) =>
      channelName === null ? <MessageCell>{msg}</MessageCell> : <NameCell isMain>{channelName}</NameCell>,
  },
  {
    key: "deviceName",
    head: "DEVICE NAME",
    width: 98,
    least: 70,
    narrow: "below-main",
    filter: by.deviceName,
    cell: ({ deviceName }) => <NameCell>{deviceName}</NameCell>,
  },
  {
    key: "deviceSnId",
    head: "DEVICE ID",
    width: 70,
    narrow: "below",
    filter: by.deviceSnId,
    cell: (alert) => <DeviceIdCell alert={alert} />,
  },
];

/** The alert log's columns, in the specified order. (spec 1 §2) */
export const logColumns = (needs: ColumnNeeds): AlertColumn[] => [
  statusColumn(needs.by, 112),
  classColumn(needs.by, 78),
  typeColumn(needs.by, 86),
  ...sourceColumns(needs.by),
  ...valueColumns([82, 78]),
  {
    key: "interval",
    head: "REP INTERVAL",
    note: "(seconds)",
    width: 82,
    align: "end",
    filter: needs.by.interval,
    cell: ({ interval }) => interval ?? <Missing />,
  },
  ...momentColumns(needs.by, [92, 90, 78]),
  confirmedByColumn(needs, 128),
];

/** The columns of one channel's alert history. */
export const historyColumns = (needs: ColumnNeeds): AlertColumn[] => [
  statusColumn(needs.by, 128),
  classColumn(needs.by, 104),
  typeColumn(needs.by, 92),
  ...valueColumns([102, 102]),
  ...momentColumns(needs.by, [124, 124, 124]),
  confirmedByColumn(needs, 150),
];
