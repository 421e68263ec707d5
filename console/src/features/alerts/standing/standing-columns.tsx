import { IconClock } from "@tabler/icons-react";
import type { StandingRow } from "@telltale/contract/domains/alerting/entries";
import { type AlertRow, AlertStatus } from "@telltale/contract/domains/alerts";
import { alertName } from "../../../domain/alerts/alert-text.ts";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import type { Column } from "../../../table/column.tsx";
import type { FilterInForce } from "../../../table/filters/use-filters.ts";
import { OperationButton } from "../../../ui/operation-button.tsx";
import { ConfirmedByCell, StatusCell } from "../alert-cells.tsx";
import classes from "./standing-cells.module.css";
import {
  DeviceCell,
  FigureCell,
  ForCell,
  NameAndTypeCell,
  NowCell,
  PeakCell,
  SinceCell,
  WhoCell,
} from "./standing-cells.tsx";

/** What the columns depend on; a read-only view has neither action. */
interface ColumnNeeds {
  /** The active filters, by the names of alert-filters.ts. */
  by: Readonly<Record<string, FilterInForce>>;
  /** Opens the confirmation. */
  onConfirm: ((alert: AlertRow) => void) | undefined;
  /** Assigns the alert to the user. */
  onTake: ((alert: AlertRow) => void) | undefined;
  /** Opens the choice of a silence; absent for accounts that may not shelve. */
  onShelve: ((alert: AlertRow) => void) | undefined;
}

type StandingColumn = Column<StandingRow>;

/** P and STATUS; on phones a triggered alert is told by its edge and its button. */
const stateColumns = ({ by, onConfirm }: ColumnNeeds): StandingColumn[] => [
  {
    key: "priority",
    head: "P",
    width: 62,
    least: 58,
    pin: "start",
    narrow: "top",
    filter: by.priority,
    cell: ({ priority, status, isSilent }) => (
      <>
        {status === AlertStatus.triggered && !isSilent && <i className={classes.edge} />}
        <PriorityPlate priority={priority} />
      </>
    ),
  },
  {
    key: "status",
    head: "STATUS",
    width: 112,
    least: 108,
    narrow: "below",
    filter: by.status,
    cell: ({ status, isSilent }) => (
      <span
        data-spare={(status === AlertStatus.triggered && onConfirm !== undefined) || undefined}
        className={classes.status}
      >
        <StatusCell status={status} isEdged={false} isSilent={isSilent} />
      </span>
    ),
  },
];

/** NOW, PEAK and LIMIT, with 2 decimals and the unit. */
const valueColumns: StandingColumn[] = [
  {
    key: "now",
    head: "NOW",
    width: 88,
    least: 80,
    align: "end",
    narrow: "top-end",
    cell: (alert) => <NowCell alert={alert} />,
  },
  {
    key: "peak",
    head: "PEAK",
    width: 84,
    least: 76,
    align: "end",
    isSpare: true,
    cell: (alert) => <PeakCell alert={alert} />,
  },
  {
    key: "limit",
    head: "LIMIT",
    width: 84,
    least: 76,
    align: "end",
    cell: (alert) => <FigureCell alert={alert} value={alert.threshold} />,
  },
];

const timeColumns: StandingColumn[] = [
  {
    key: "triggered",
    head: "TRIGGERED",
    width: 88,
    least: 86,
    cell: ({ createdTime }) => <SinceCell moment={createdTime} />,
  },
  {
    key: "for",
    head: "FOR",
    width: 82,
    least: 74,
    narrow: "below-end",
    cell: ({ createdTime }) => <ForCell since={createdTime} />,
  },
];

/** The columns of the alerts that stand. */
export const standingColumns = (needs: ColumnNeeds): StandingColumn[] => [
  ...stateColumns(needs),
  {
    key: "alert",
    head: "ALERT",
    width: 176,
    least: 110,
    narrow: "top-main",
    cell: (alert) => <NameAndTypeCell alert={alert} />,
  },
  {
    key: "deviceName",
    head: "DEVICE",
    width: 130,
    least: 92,
    narrow: "below-main",
    filter: needs.by.deviceName,
    cell: (alert) => <DeviceCell alert={alert} />,
  },
  ...valueColumns,
  ...timeColumns,
  {
    key: "who",
    head: "WHO HAS IT",
    width: 124,
    least: 100,
    narrow: "below",
    cell: (alert) => <WhoCell alert={alert} onTake={needs.onTake} />,
  },
  {
    key: "confirmedBy",
    head: "CONFIRMED BY",
    width: needs.onShelve ? 164 : 128,
    pin: "end",
    narrow: "action",
    cell: (alert) => (
      <span className={classes.actions}>
        <ConfirmedByCell
          status={alert.status}
          name={alert.acceptName}
          onConfirm={needs.onConfirm && (() => needs.onConfirm?.(alert))}
        />
        {needs.onShelve && !alert.isSilent && (
          <OperationButton
            label={`Shelve: ${alertName(alert)}`}
            icon={IconClock}
            onClick={() => needs.onShelve?.(alert)}
          />
        )}
      </span>
    ),
  },
];
