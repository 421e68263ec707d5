import type { RewoundAlert } from "@telltale/contract/domains/readings/rewind";
import { alertLine, alertName, alertWhen, channelBeside, momentSearch } from "../../../domain/alerts/alert-text.ts";
import { shortName } from "../../../domain/alerts/initials.ts";
import { Lasting } from "../../../domain/alerts/lasting.tsx";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { CloseButton } from "../../../ui/control/close-button.tsx";
import { recent, recentShort } from "../../../ui/format/time.ts";
import { Link } from "../../../ui/router/link.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import classes from "./alert-banner.module.css";

/** An alert, as far as a window shows it; of one in the past it is not known who had it. */
type Shown = Omit<RewoundAlert, "silent"> & { assignedName?: string | null };

/** Where it is: the device, before it the channel when a rule gave the alert its name. */
const placeOf = (alert: Shown): string => {
  const channel = channelBeside(alert);
  return channel === undefined ? alert.deviceName : `${channel}, ${alert.deviceName}`;
};

/** A moment at which the alert stood, and whether it was confirmed then. */
interface Then {
  at: number;
  isConfirmed: boolean;
}

/** Who had confirmed it, and when: 'Confirmed, S. Imai 03:09'. */
const confirmation = ({ acceptName, acceptTime }: Shown, at: number): string =>
  `Confirmed, ${acceptName === null ? "" : `${shortName(acceptName)} `}${acceptTime ? recentShort(acceptTime, at) : ""}`;

const Lines = ({ alert, then }: { alert: Shown; then: Then | undefined }) => {
  const { type, text, threshold } = alertLine(alert);
  const when = alertWhen(alert);
  const { createdTime, assignedName } = alert;
  const assigned = assignedName && `${shortName(assignedName)} has it`;
  const confirmed = then?.isConfirmed ? confirmation(alert, then.at) : undefined;
  return (
    <>
      <p>
        <b>{type}</b> {text}
        {threshold && <span className={classes.wide}> (threshold {threshold})</span>}
        {threshold && <span className={classes.narrow}>, threshold {threshold}</span>}
        {when && <span className={classes.wide}> (alert when {when})</span>}
        {when && <span className={classes.narrow}>, alert when {when}</span>}
        <span className={classes.narrow}>
          {" "}
          · {confirmed ?? <time dateTime={createdTime.toISOString()}>{recentShort(createdTime, then?.at)}</time>}
          {assigned && `, ${assigned}`}
        </span>
      </p>
      <small className={classes.wide}>
        <time dateTime={createdTime.toISOString()}>{recent(createdTime, then?.at)}</time>
        {!then && <Lasting since={createdTime} />}
        {assigned && <b>{assigned}</b>}
        {confirmed && <b>{confirmed}</b>}
        {!confirmed && alertName(alert) !== alert.deviceName && <span>{placeOf(alert)}</span>}
      </small>
    </>
  );
};

interface AlertWindowProps<A extends Shown> {
  alert: A;
  /** Raised while the screen was open: its gutter blinks at first. */
  isNew?: boolean;
  /** Nothing can be confirmed without a connection. */
  isLost?: boolean;
  /** Without it there is no close icon: a support view is read-only. (spec 1 §6) */
  onConfirm?: ((alert: A) => void) | undefined;
  /** Of a rewound dashboard; undefined: it stands now, unconfirmed. */
  then?: Then;
}

/** One alert that stands: red gutter, outlined once it is confirmed; name, value, time; its name links to the channel. */
export const AlertWindow = <A extends Shown>({
  alert,
  isNew = false,
  isLost = false,
  onConfirm,
  then,
}: AlertWindowProps<A>) => (
  <article className={classes.window} data-new={isNew || undefined} data-confirmed={then?.isConfirmed || undefined}>
    <div className={classes.gutter}>
      <Glyph name={then?.isConfirmed ? "diamond-open-bang" : "diamond-solid-bang"} size={18} />
      <PriorityPlate priority={alert.priority} />
    </div>
    <div className={classes.text} data-closable={onConfirm !== undefined || undefined}>
      <h2>
        <Link to="/devicesDetail" search={momentSearch(alert)} title={alertName(alert)}>
          {alertName(alert)}
        </Link>
      </h2>
      <Lines alert={alert} then={then} />
    </div>
    {onConfirm && (
      <CloseButton
        className={classes.close}
        iconSize={18}
        disabled={isLost}
        aria-label={`Confirm alert: ${alertName(alert)}`}
        onClick={() => onConfirm(alert)}
      />
    )}
  </article>
);
