import { IconInfoCircle } from "@tabler/icons-react";
import { type AlertRow, alerts, unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { count, counted, nounOf } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { alertLine, alertName } from "../../../domain/alerts/alert-text.ts";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { useIsLost } from "../../../session/live/live.ts";
import { useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { inform } from "../../../ui/dialog/messages.ts";
import { useRecent } from "../../../ui/format/time.ts";
import { changedCalls } from "./changed-calls.ts";
import classes from "./confirm-alert.module.css";
import type { SeenAlerts } from "./seen-alerts.ts";

/** Most alerts that are listed. */
const listed = 50;

const Listed = ({ alert }: { alert: AlertRow }) => {
  const { recent } = useRecent();
  const { type, text } = alertLine(alert);
  return (
    <li>
      <PriorityPlate priority={alert.priority} />
      <div>
        <b>{alertName(alert)}</b>
        <small>
          {type} {text}, {alert.deviceName}
        </small>
      </div>
      <time dateTime={alert.createdTime.toISOString()}>{recent(alert.createdTime)}</time>
    </li>
  );
};

/** Says which alerts are covered, and how many have arrived since and are not. */
const Covered = ({ seen: { label, time }, untilId }: { seen: SeenAlerts; untilId: number }) => {
  const { alerts: current } = useUnconfirmed();
  const { recent } = useRecent();
  const late = current.filter(({ alarmLogId }) => alarmLogId > untilId).length;
  return (
    <div className={classes.shown}>
      <IconInfoCircle size={18} aria-hidden />
      <span>
        <b>
          {label === "1" ? "This one" : `These ${label}`}, as shown at {recent(time)}.
        </b>{" "}
        {late === 0
          ? "One that arrives meanwhile is not covered."
          : `${count(late)} that ${late === 1 ? "has" : "have"} arrived since ${late === 1 ? "is" : "are"} not covered.`}
      </span>
    </div>
  );
};

interface ConfirmAllAlertsProps {
  seen: SeenAlerts;
  isOpen: boolean;
  onClose: () => void;
}

/** The question before all alerts are confirmed: those that were shown, and none that has arrived since. (spec 1 §8) */
export const ConfirmAllAlerts = ({ seen, isOpen, onClose }: ConfirmAllAlertsProps): ReactNode => {
  const { mutate, isPending } = useAction(alerts.confirmAll, {
    invalidates: changedCalls,
    onDone: ({ confirmed }) => {
      inform(`${counted(confirmed, "alert")} confirmed`);
      onClose();
    },
  });
  const untilId = seen.alerts.reduce((most, { alarmLogId }) => Math.max(most, alarmLogId), 0);
  const more = seen.alerts.length - listed;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="CONFIRM ALL ALERTS"
      width={540}
      action={`Confirm ${seen.label} ${nounOf(seen.alerts.length, "alert")}`}
      onConfirm={() => mutate({ untilId })}
      isBusy={isPending}
      isDisabled={useIsLost()}
    >
      Are you sure you want to confirm all alerts?
      <p>This will confirm all pending alerts.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls needs the focus to be scrolled by keys */}
      <ul className={classes.list} aria-label="Alerts to confirm" tabIndex={0}>
        {seen.alerts.slice(0, listed).map((alert) => (
          <Listed key={alert.alarmLogId} alert={alert} />
        ))}
        {more > 0 && (
          <li>
            <span />
            <small>
              and {count(more)}
              {seen.alerts.length >= unconfirmedLimit && " or more"} others
            </small>
          </li>
        )}
      </ul>
      <Covered seen={seen} untilId={untilId} />
    </ConfirmDialog>
  );
};
