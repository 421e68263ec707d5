import type { StandingRow } from "@telltale/contract/domains/alerting/entries";
import { type AlertRow, AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type ReactNode, useEffect } from "react";
import { silenceLabels } from "../../../domain/alerts/alert-status.ts";
import { alertName, alertValue, channelBeside, readingValue } from "../../../domain/alerts/alert-text.ts";
import { durationText, isOverDay } from "../../../domain/alerts/duration.ts";
import { FirstOutGlyph, orderText } from "../../../domain/alerts/first-out.tsx";
import { Person } from "../../../domain/alerts/person.tsx";
import { isNoData } from "../../../domain/value.ts";
import { useIsLost } from "../../../session/live/live.ts";
import { useReading } from "../../../session/live/use-live-values.ts";
import { NarrowText } from "../../../table/column.tsx";
import { Missing } from "../../../ui/format/missing.tsx";
import { clock, dateTime, day, recentShort } from "../../../ui/format/time.ts";
import { serverNow } from "../../../ui/server-time.ts";
import { useNow } from "../../../ui/use-now.ts";
import { DeviceIdCell, EntryLink, ValueCell } from "../alert-cells.tsx";
import classes from "./standing-cells.module.css";

/** The kind of the event, or what the system says. */
const typeOf = ({ alarmType, msg }: AlertRow): string =>
  alarmType === AlertType.system && msg !== "" ? msg : alertTypeLabels[alarmType];

/** The kind of the event; behind it the channel, where the rule gave the alert its name. */
const kindOf = (alert: AlertRow): string => [typeOf(alert), channelBeside(alert)].filter(Boolean).join(", ");

/** Why nobody is notified of it, and until when: 'Shelved until 16:00: strainer being cleaned'. */
const silentText = ({ silence }: StandingRow): string => {
  if (!silence) return "Silent";
  const { kind, endTime, reason } = silence;
  const until = endTime === null ? "Master silent" : `${silenceLabels[kind]} ${recentShort(endTime)}`;
  return reason === "" ? until : `${until}: ${reason}`;
};

/** Its place among those of its family, where there are others. */
const Order = ({ alert }: { alert: StandingRow }) => {
  const text = orderText(alert);
  return (
    text !== undefined && (
      <span title={`First-out: ${text}`} data-first={alert.firstOf !== null || undefined}>
        {alert.firstOf !== null && <FirstOutGlyph />}
        {text}
      </span>
    )
  );
};

/** The alert's name, a link to its page, over its type. */
export const NameAndTypeCell = ({ alert }: { alert: StandingRow }): ReactNode => (
  <span className={classes.stacked}>
    <b>
      <EntryLink alert={alert}>{alertName(alert)}</EntryLink>
    </b>
    <small className={classes.kind}>
      <span title={kindOf(alert)}>{kindOf(alert)}</span>
      <Order alert={alert} />
    </small>
    {alert.isSilent && <small title={silentText(alert)}>{silentText(alert)}</small>}
  </span>
);

/** The device over its masked ID; on phones after the alert's type. */
export const DeviceCell = ({ alert }: { alert: StandingRow }): ReactNode => (
  <span className={classes.stacked}>
    <span title={alert.deviceName}>
      <NarrowText>
        {[alert.isSilent && silentText(alert), typeOf(alert), orderText(alert)].filter(Boolean).join(", ")}
      </NarrowText>
      {alert.deviceName}
    </span>
    <small>
      <DeviceIdCell alert={alert} />
    </small>
  </span>
);

/** The reading of an alert's channel as the list brings it. */
const loadedOf = (alert: StandingRow, deviceChannelId: number) => ({
  deviceChannelId,
  value: alert.now,
  status: ReadingStatus.alarm,
  updateTime: alert.createdTime,
});

/** The newest value of the alert's channel, live; of an alert about a whole device there is none. */
const LiveNow = ({ alert, channelId }: { alert: StandingRow; channelId: number }): ReactNode => {
  const { value, status } = useReading(loadedOf(alert, channelId));
  const isLost = useIsLost();
  if (value === null || isNoData({ value, status })) return <Missing />;
  return (
    <span className={classes.now} data-lost={isLost || undefined}>
      <ValueCell isAlarming={!alert.isSilent}>{readingValue(value, alert)}</ValueCell>
    </span>
  );
};

/** The value now. */
export const NowCell = ({ alert }: { alert: StandingRow }): ReactNode =>
  alert.deviceChannelId === null || alert.value === null ? (
    <Missing />
  ) : (
    <LiveNow alert={alert} channelId={alert.deviceChannelId} />
  );

const extremes: Partial<Record<AlertType, (...values: number[]) => number>> = {
  [AlertType.high]: Math.max,
  [AlertType.low]: Math.min,
};

/** The most extreme live values of alerts, by their ids: a row that is scrolled away and back keeps its own. */
const seenPeaks = new Map<number, number>();

/** The most extreme of the loaded peak, what was seen since, and the live value. */
const usePeak = (alert: StandingRow, channelId: number): number | null => {
  const { alarmLogId, peak, isRate, alarmType } = alert;
  const { value, status } = useReading(loadedOf(alert, channelId));
  const extreme = isRate ? undefined : extremes[alarmType];
  const known = [peak, seenPeaks.get(alarmLogId), isNoData({ value, status }) ? null : value];
  const values = known.filter((each) => typeof each === "number");
  const shown = peak === null || !extreme ? peak : extreme(...values);
  useEffect(() => {
    if (shown !== null) seenPeaks.set(alarmLogId, shown);
  }, [alarmLogId, shown]);
  return shown;
};

/** A value of the alert, or that there is none. */
export const FigureCell = ({ alert, value }: { alert: StandingRow; value: number | null }): ReactNode =>
  value === null ? <Missing /> : <span className={classes.figure}>{alertValue(value, alert)}</span>;

const LivePeak = ({ alert, channelId }: { alert: StandingRow; channelId: number }): ReactNode => (
  <FigureCell alert={alert} value={usePeak(alert, channelId)} />
);

/** The most extreme value so far: as loaded, or a live one that has gone beyond it. What no live value told comes with the alert's next change. */
export const PeakCell = ({ alert }: { alert: StandingRow }): ReactNode =>
  alert.deviceChannelId === null ? (
    <FigureCell alert={alert} value={alert.peak} />
  ) : (
    <LivePeak alert={alert} channelId={alert.deviceChannelId} />
  );

/** When it was raised: the time, with the date for another day. */
export const SinceCell = ({ moment }: { moment: Date }): ReactNode => (
  <time className={classes.stacked} dateTime={moment.toISOString()} title={dateTime(moment)}>
    <span>{clock(moment)}</span>
    {day(moment) !== day(serverNow()) && <small>{day(moment)}</small>}
  </time>
);

/** For how long it has stood. */
export const ForCell = ({ since }: { since: Date }): ReactNode => {
  const passed = useNow(since.getTime()) - since.getTime();
  return (
    <span className={classes.stacked}>
      <b>{durationText(passed)}</b>
      {isOverDay(passed) && <small className={classes.over}>over 24 h</small>}
    </span>
  );
};

interface WhoCellProps {
  alert: AlertRow;
  /** Assigns the alert to the user; absent in a read-only view. */
  onTake: ((alert: AlertRow) => void) | undefined;
}

/** Who has the alert; where nobody has it, a button that appears while the pointer or the focus is on the row. */
export const WhoCell = ({ alert, onTake }: WhoCellProps): ReactNode => {
  if (alert.assignedName !== null)
    return (
      <span className={classes.who}>
        <Person name={alert.assignedName} />
      </span>
    );
  return (
    <span className={classes.nobody}>
      <span>Nobody yet</span>
      {onTake && (
        <button
          type="button"
          className={classes.take}
          onClick={() => onTake(alert)}
          aria-label={`Assign to me: ${alertName(alert)}`}
        >
          Assign to me
        </button>
      )}
    </span>
  );
};
