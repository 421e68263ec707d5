import {
  type Icon,
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconDeviceDesktop,
  IconLogin,
  IconLogout,
  IconTallymarks,
} from "@tabler/icons-react";
import { type AlertRow, AlertStatus, AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { type ReactNode, useContext } from "react";
import { alertStatusLook } from "../../domain/alerts/alert-status.ts";
import { alertName, momentSearch } from "../../domain/alerts/alert-text.ts";
import { useIsLost } from "../../session/live/live.ts";
import { maskedId } from "../../ui/format/masked-id.ts";
import { Missing } from "../../ui/format/missing.tsx";
import { dateTime, PageZone } from "../../ui/format/time.ts";
import { Link } from "../../ui/router/link.tsx";
import { serverNow } from "../../ui/server-time.ts";
import { StatusLabel } from "../../ui/status/status-label.tsx";
import classes from "./alert-cells.module.css";

interface StatusCellProps {
  status: number;
  isEdged?: boolean;
  /** Nobody is notified of it, or was. */
  isSilent?: boolean;
}

/** The alert's state; a triggered one marks the edge of its row, unless another column does. */
export const StatusCell = ({ status, isEdged = true, isSilent = false }: StatusCellProps): ReactNode => (
  <>
    {isEdged && !isSilent && status === AlertStatus.triggered && <i className={classes.edge} />}
    <StatusLabel {...alertStatusLook(status, isSilent)} />
  </>
);

const icons: Record<AlertType, Icon> = {
  [AlertType.high]: IconArrowBarToUp,
  [AlertType.low]: IconArrowBarToDown,
  [AlertType.system]: IconDeviceDesktop,
  [AlertType.digitalInput]: IconLogin,
  [AlertType.counting]: IconTallymarks,
  [AlertType.digitalOutput]: IconLogout,
};

/** Kind of event: High, Low, System, DI, Counting, DO. */
export const TypeCell = ({ type }: { type: AlertType }): ReactNode => {
  const TypeIcon = icons[type];
  return (
    <span className={classes.type}>
      <TypeIcon size={16} aria-hidden />
      {alertTypeLabels[type]}
    </span>
  );
};

/** A name on at most three lines. */
export const NameCell = ({ children, isMain }: { children: string; isMain?: boolean }): ReactNode => (
  <span className={isMain ? `${classes.name} ${classes.main}` : classes.name} title={children}>
    {children}
  </span>
);

/** A sentence about the device, on at most three lines. */
export const MessageCell = ({ children }: { children: string }): ReactNode => (
  <span className={classes.message} title={children}>
    {children}
  </span>
);

interface DeviceIdCellProps {
  alert: Parameters<typeof momentSearch>[0] & { deviceSnId: string };
}

/** The masked device ID, linked to its device, at the alert's channel and moment. (spec 1 §2) */
export const DeviceIdCell = ({ alert }: DeviceIdCellProps): ReactNode => (
  <Link className={classes.id} to="/devicesDetail" search={momentSearch(alert)}>
    {maskedId(alert.deviceSnId)}
  </Link>
);

interface EntryLinkProps {
  alert: Pick<AlertRow, "alarmLogId" | "alarmClass" | "alarmName" | "channelName" | "deviceName">;
  children: string;
}

/** A link to the entry's page; read aloud with the alert's name. */
export const EntryLink = ({ alert, children }: EntryLinkProps): ReactNode => {
  const name = alertName(alert);
  return (
    <Link
      className={classes.entry}
      to="/alarms/detail"
      search={{ alarmLogId: alert.alarmLogId }}
      title={name}
      {...(children === name ? {} : { "aria-label": `${children}, ${name}` })}
    >
      {children}
    </Link>
  );
};

/** A value with its unit, red while the condition holds. */
export const ValueCell = ({ children, isAlarming }: { children: string; isAlarming?: boolean }): ReactNode => (
  <span className={classes.value} data-alarming={isAlarming || undefined}>
    {children}
  </span>
);

/** The limit of an alert. */
export const ThresholdCell = ({ children }: { children: string }): ReactNode => (
  <span className={classes.threshold}>{children}</span>
);

const Stacked = ({ stamp }: { stamp: string }) => (
  <span className={classes.stacked}>
    <span>{stamp.slice(11)}</span> <span>{stamp.slice(0, 10)}</span>
  </span>
);

/** A time in the page's zone: time above date in tables with three or more such columns; on phones only the time for today's. */
export const MomentCell = ({ moment, isStacked }: { moment: Date | null; isStacked: boolean }): ReactNode => {
  const zone = useContext(PageZone);
  if (moment === null) return <Missing />;
  const stampOf = zone?.stamp ?? dateTime;
  const stamp = stampOf(moment);
  const isToday = stamp.slice(0, 10) === stampOf(serverNow()).slice(0, 10);
  return (
    <time dateTime={moment.toISOString()} title={stamp}>
      <span className={classes.wide}>{isStacked ? <Stacked stamp={stamp} /> : stamp}</span>
      <span className={classes.short}>{isToday ? stamp.slice(11, 16) : stamp.slice(5, 16)}</span>
    </time>
  );
};

interface ConfirmedByCellProps {
  status: number;
  name: string | null;
  /** Opens the confirmation; absent in a read-only view, which shows the name. (spec 1 §6) */
  onConfirm: (() => void) | undefined;
}

/** Spelled as specified. (spec 1 §2) Nothing can be confirmed without a connection. */
const ConfirmButton = ({ onConfirm }: { onConfirm: () => void }): ReactNode => (
  <button type="button" className={classes.confirm} disabled={useIsLost()} onClick={onConfirm}>
    CLICK TO CONFRIM
  </button>
);

/** Who confirmed, or the button to confirm. */
export const ConfirmedByCell = ({ status, name, onConfirm }: ConfirmedByCellProps): ReactNode =>
  status === AlertStatus.triggered && onConfirm ? (
    <ConfirmButton onConfirm={onConfirm} />
  ) : (
    <span className={`${classes.name} ${classes.by}`}>{name ?? <Missing />}</span>
  );
