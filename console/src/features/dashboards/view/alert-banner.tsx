import type { AlertRow } from "@telltale/contract/domains/alerts";
import { nounOf } from "@telltale/contract/text/counted";
import { useState } from "react";
import { alertLine, alertName } from "../../../domain/alerts/alert-text.ts";
import { useIsLost } from "../../../session/live/live.ts";
import { type Unconfirmed, useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { clock } from "../../../ui/format/time.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./alert-banner.module.css";
import { AlertWindow } from "./alert-window.tsx";

/** The alerts with an id above `highest`, the newest id known before. */
const raisedAfter = (alerts: readonly AlertRow[], highest: number) =>
  alerts.filter((alert) => alert.alarmLogId > highest);

/** The unconfirmed alerts raised since the screen was opened; earlier ones are not new. */
const useNewAlerts = ({ alerts, isPending, isUnknown }: Unconfirmed): readonly AlertRow[] => {
  const [known, setKnown] = useState<number>();
  if (isPending || isUnknown) return [];
  if (known === undefined) {
    setKnown(Math.max(0, ...alerts.map((alert) => alert.alarmLogId)));
    return [];
  }
  return raisedAfter(alerts, known);
};

/** Maximum number of previewed alerts. (spec 1 §9) */
const previewed = 4;

/** '4 of 6 unconfirmed alerts shown', beside the title; '2 unconfirmed alerts' when all are, nothing when there is none. Opens these. */
export const AlertCount = () => {
  const { alerts, label } = useUnconfirmed();
  if (alerts.length === 0) return null;
  const noun = nounOf(alerts.length, "alert");
  return (
    <Link to="/alarms" search={{ view: "unconfirmed" }} className={classes.count}>
      {alerts.length <= previewed
        ? `${label} unconfirmed ${noun}`
        : `${previewed} of ${label} unconfirmed ${noun} shown`}
    </Link>
  );
};

interface ConfirmAllProps {
  onConfirmAll: () => void;
  /** Beside the title; on phones below the windows, across the screen. */
  place: "title" | "banner";
}

/** CONFIRM ALL ALERTS, for accounts that may confirm, and when there is something to confirm. */
export const ConfirmAllButton = ({ onConfirmAll, place }: ConfirmAllProps) => {
  const { alerts } = useUnconfirmed();
  const { can } = useSession();
  const isLost = useIsLost();
  if (alerts.length === 0 || !can("alerts.confirm")) return null;
  return (
    <Button
      variant="ink"
      disabled={isLost}
      className={classes.confirmAll}
      data-place={place}
      data-shortcut="confirmAll"
      onClick={onConfirmAll}
    >
      CONFIRM ALL ALERTS
    </Button>
  );
};

/** Announces each new alert once to screen readers; live values are not announced. */
const Announcer = ({ alerts }: { alerts: readonly AlertRow[] }) => (
  <div role="log" aria-live="polite" aria-label="New alerts" className={classes.hidden}>
    {alerts.map((alert) => (
      <p key={alert.alarmLogId}>
        {alertName(alert)}
        {alert.channelName !== null && `, ${alert.deviceName}`}, {alertLine(alert).type} {alertLine(alert).text},{" "}
        {clock(alert.createdTime)}
      </p>
    ))}
  </div>
);

/**
 * The alerts shown as windows, by priority, then the newest first. While the pointer is over them, those shown keep their places: otherwise a new alert would push another
 * one's button under a click.
 */
const useWindows = (alerts: readonly AlertRow[]) => {
  const [held, setHeld] = useState<readonly number[]>();
  const isHeld = ({ alarmLogId }: AlertRow) => held?.includes(alarmLogId) ?? false;
  const stays = (held ?? []).flatMap((id) => alerts.filter(({ alarmLogId }) => alarmLogId === id));
  const windows = [...stays, ...alerts.filter((alert) => !isHeld(alert))].slice(0, previewed);
  return {
    windows,
    onPointerEnter: () => setHeld(windows.map(({ alarmLogId }) => alarmLogId)),
    onPointerLeave: () => setHeld(undefined),
  };
};

interface AlertBannerProps {
  /** Opens the confirmation of one alert. */
  onConfirm: (alert: AlertRow) => void;
  /** Opens the confirmation of all. */
  onConfirmAll: () => void;
}

/** The most urgent unconfirmed alerts as windows on the tiles' columns; the row collapses when there are none. */
export const AlertBanner = ({ onConfirm, onConfirmAll }: AlertBannerProps) => {
  const unconfirmed = useUnconfirmed();
  const { alerts } = unconfirmed;
  const { can } = useSession();
  const isLost = useIsLost();
  const news = useNewAlerts(unconfirmed);
  const { windows, ...holding } = useWindows(alerts);
  return (
    <>
      <Announcer alerts={news} />
      {alerts.length > 0 && (
        <section
          className={classes.windows}
          aria-label="Unconfirmed alerts"
          data-lost={isLost || undefined}
          {...holding}
        >
          {windows.map((alert) => (
            <AlertWindow
              key={alert.alarmLogId}
              alert={alert}
              isNew={news.includes(alert)}
              isLost={isLost}
              onConfirm={can("alerts.confirm") ? onConfirm : undefined}
            />
          ))}
        </section>
      )}
      <ConfirmAllButton onConfirmAll={onConfirmAll} place="banner" />
    </>
  );
};
