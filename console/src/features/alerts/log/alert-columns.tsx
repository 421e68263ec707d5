import { type AlertRow, AlertStatus, alertClassLabels, type LoggedAlert } from "@telltale/contract/domains/alerts";
import { isShownSilent } from "../../../domain/alerts/alert-status.ts";
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

/** A column's width and the least of it, pixels. */
interface Widths {
  width: number;
  least: number;
}

const statusColumn = (by: ColumnNeeds["by"], { width, least }: Widths): AlertColumn => ({
  key: "status",
  head: "STATUS",
  width,
  least,
  pin: "start",
  narrow: "top",
  filter: by.status,
  cell: (alert) => <StatusCell status={alert.status} isSilent={isShownSilent(alert)} />,
});

const classColumn = (by: ColumnNeeds["by"], { width, least }: Widths): AlertColumn => ({
  key: "alert",
  head: "ALERT",
  width,
  least,
  filter: by.alert,
  cell: (alert) => <EntryLink alert={alert}>{alertClassLabels[alert.alarmClass]}</EntryLink>,
});

const typeColumn = (by: ColumnNeeds["by"], { width, least }: Widths): AlertColumn => ({
  key: "type",
  head: "TYPE",
  width,
  least,
  narrow: "below",
  filter: by.type,
  cell: ({ alarmType }) => <TypeCell type={alarmType} />,
});

/** VALUE and THRESHOLD, with 2 decimals and the unit. */
const valueColumns = (value: Widths, threshold: Widths): AlertColumn[] => [
  {
    key: "value",
    head: "VALUE",
    ...value,
    align: "end",
    narrow: "top-end",
    cell: (alert) =>
      alert.value === null ? (
        <Missing />
      ) : (
        <ValueCell isAlarming={alert.status !== AlertStatus.cleared && !alert.isSilent}>
          {alertValue(alert.value, alert)}
        </ValueCell>
      ),
  },
  {
    key: "threshold",
    head: "THRESHOLD",
    ...threshold,
    align: "end",
    cell: (alert) =>
      alert.threshold === null ? <Missing /> : <ThresholdCell>{alertValue(alert.threshold, alert)}</ThresholdCell>,
  },
];

/** TRIGGERED, CONFIRMED and CLEARED, with the given widths. */
const momentColumns = (by: ColumnNeeds["by"], widths: readonly [Widths, Widths, Widths]): AlertColumn[] => {
  const isStacked = widths[0].width < 150;
  return [
    {
      key: "triggered",
      head: "TRIGGERED",
      ...widths[0],
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
      ...widths[1],
      filter: by.confirmed,
      cell: ({ acceptTime }) => <MomentCell moment={acceptTime} isStacked={isStacked} />,
    },
    {
      key: "cleared",
      head: "CLEARED",
      ...widths[2],
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
    least: 86,
    narrow: "top-main",
    filter: by.channel,
    cell: ({ channelName, msg }) =>
      channelName === null ? <MessageCell>{msg}</MessageCell> : <NameCell isMain>{channelName}</NameCell>,
  },
  {
    key: "deviceName",
    head: "DEVICE NAME",
    width: 98,
    least: 66,
    narrow: "below-main",
    filter: by.deviceName,
    cell: ({ deviceName }) => <NameCell>{deviceName}</NameCell>,
  },
  {
    key: "deviceSnId",
    head: "DEVICE ID",
    width: 70,
    least: 66,
    narrow: "below",
    filter: by.deviceSnId,
    cell: (alert) => <DeviceIdCell alert={alert} />,
  },
];

/** A column that does not shrink. */
const fixed = (width: number): Widths => ({ width, least: width });

/** The alert log's columns, in the specified order. (spec 1 §2) On a screen of 1024 pixels they shrink until TRIGGERED is in sight. */
export const logColumns = (needs: ColumnNeeds): AlertColumn[] => [
  statusColumn(needs.by, { width: 112, least: 110 }),
  classColumn(needs.by, { width: 78, least: 74 }),
  typeColumn(needs.by, { width: 86, least: 78 }),
  ...sourceColumns(needs.by),
  ...valueColumns({ width: 82, least: 74 }, { width: 78, least: 74 }),
  {
    key: "interval",
    head: "REP INTERVAL",
    note: "(seconds)",
    width: 82,
    least: 80,
    align: "end",
    filter: needs.by.interval,
    cell: ({ interval }) => interval ?? <Missing />,
  },
  ...momentColumns(needs.by, [{ width: 92, least: 88 }, fixed(90), fixed(78)]),
  confirmedByColumn(needs, 128),
];

/** The columns of one channel's alert history. */
export const historyColumns = (needs: ColumnNeeds): AlertColumn[] => [
  statusColumn(needs.by, fixed(128)),
  classColumn(needs.by, fixed(104)),
  typeColumn(needs.by, fixed(92)),
  ...valueColumns(fixed(102), fixed(102)),
  ...momentColumns(needs.by, [fixed(124), fixed(124), fixed(124)]),
  confirmedByColumn(needs, 150),
];
