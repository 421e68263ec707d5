import type { AlertRow } from "@telltale/contract/domains/alerts";
import { alertLine, alertName, alertWhen, channelBeside, momentSearch } from "../../../domain/alerts/alert-text.ts";
import { Lasting } from "../../../domain/alerts/lasting.tsx";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { CloseButton } from "../../../ui/control/close-button.tsx";
import { recent, recentShort } from "../../../ui/format/time.ts";
import { Link } from "../../../ui/router/link.tsx";
import { Glyph } from "../../../ui/status/glyph.tsx";
import classes from "./alert-banner.module.css";

/** Where it is: the device, before it the channel when a rule gave the alert its name. */
const placeOf = (alert: AlertRow): string => {
  const channel = channelBeside(alert);
  return channel === undefined ? alert.deviceName : `${channel}, ${alert.deviceName}`;
};

const Lines = ({ alert }: { alert: AlertRow }) => {
  const { type, text, threshold } = alertLine(alert);
  const when = alertWhen(alert);
  return (
    <>
      <p>
        <b>{type}</b> {text}
        {threshold && <span className={classes.wide}> (threshold {threshold})</span>}
        {threshold && <span className={classes.narrow}>, threshold {threshold}</span>}
        {when && <span className={classes.wide}> (alert when {when})</span>}
        {when && <span className={classes.narrow}>, alert when {when}</span>}
        <time className={classes.narrow} dateTime={alert.createdTime.toISOString()}>
          {" "}
          · {recentShort(alert.createdTime)}
        </time>
      </p>
      <small className={classes.wide}>
        <time dateTime={alert.createdTime.toISOString()}>{recent(alert.createdTime)}</time>
        <Lasting since={alert.createdTime} />
        {alertName(alert) !== alert.deviceName && <span>{placeOf(alert)}</span>}
      </small>
    </>
  );
};

interface AlertWindowProps {
  alert: AlertRow;
  /** Raised while the screen was open: its gutter blinks at first. */
  isNew: boolean;
  /** Nothing can be confirmed without a connection. */
  isLost: boolean;
  /** Without it there is no close icon: a support view is read-only. (spec 1 §6) */
  onConfirm: ((alert: AlertRow) => void) | undefined;
}

/** One unconfirmed alert: red gutter, name, value, time; its name links to the channel. */
export const AlertWindow = ({ alert, isNew, isLost, onConfirm }: AlertWindowProps) => (
  <article className={classes.window} data-new={isNew || undefined}>
    <div className={classes.gutter}>
      <Glyph name="diamond-solid-bang" size={18} />
      <PriorityPlate priority={alert.priority} />
    </div>
    <div className={classes.text} data-closable={onConfirm !== undefined || undefined}>
      <h2>
        <Link to="/devicesDetail" search={momentSearch(alert)} title={alertName(alert)}>
          {alertName(alert)}
        </Link>
      </h2>
      <Lines alert={alert} />
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
