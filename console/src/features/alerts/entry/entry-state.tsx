import type { AlertInfo } from "@telltale/contract/domains/alerting/entries";
import { AlertClass, AlertStatus, AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { type ReactNode, useMemo } from "react";
import { alertStatusLook, isShownSilent, silenceLabels } from "../../../domain/alerts/alert-status.ts";
import { alertName, alertValue, readingValue } from "../../../domain/alerts/alert-text.ts";
import { durationText, exactDuration } from "../../../domain/alerts/duration.ts";
import { FirstOutGlyph, orderText } from "../../../domain/alerts/first-out.tsx";
import { Lasting } from "../../../domain/alerts/lasting.tsx";
import { Person } from "../../../domain/alerts/person.tsx";
import { isNoData } from "../../../domain/value.ts";
import { useIsLost } from "../../../session/live/live.ts";
import { useReading } from "../../../session/live/use-live-values.ts";
import { missing, useRecent } from "../../../ui/format/time.ts";
import { Link } from "../../../ui/router/link.tsx";
import { StatusLabel } from "../../../ui/status/status-label.tsx";
import { Assignee } from "./assignee.tsx";
import classes from "./entry-state.module.css";

interface FigureProps {
  text: string;
  /** It is from before the connection was lost. */
  isOld?: boolean;
}

/** The figure and its unit; words such as ON have none. */
const Figure = ({ text, isOld = false }: FigureProps) => {
  const [figure, ...unit] = text.split(" ");
  return (
    <p className={classes.figure} data-lost={isOld || undefined}>
      {figure} <small>{unit.join(" ")}</small>
    </p>
  );
};

/** The value now, live, while the alert stands; afterwards the most extreme one. */
const Value = ({ alert, channelId }: { alert: AlertInfo; channelId: number }) => {
  const isCleared = alert.status === AlertStatus.cleared;
  const loaded = useMemo(
    () => ({
      deviceChannelId: channelId,
      value: alert.now,
      status: ReadingStatus.alarm,
      updateTime: alert.createdTime,
    }),
    [alert, channelId],
  );
  const { value, status } = useReading(loaded);
  const isLost = useIsLost();
  if (isCleared) {
    const peak = alert.peak ?? alert.value;
    return (
      <>
        <Figure text={peak === null ? missing : alertValue(peak, alert)} />
        <p className={classes.when}>Peak</p>
      </>
    );
  }
  const isKnown = value !== null && !isNoData({ value, status });
  return (
    <>
      <Figure text={isKnown ? readingValue(value, alert) : missing} isOld={isLost} />
      <p className={classes.when}>{isLost ? "Last received" : "Now"}</p>
    </>
  );
};

interface FactProps {
  label: string;
  children: ReactNode;
}

const Fact = ({ label, children }: FactProps) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const valueOr = (alert: AlertInfo, value: number | null): string =>
  value === null ? missing : alertValue(value, alert);

/** The rule that raised it, as a link for those who may read rules. */
const Rule = ({ alert }: { alert: AlertInfo }) => {
  if (alert.alarmId === null) return null;
  const tab = alert.alarmClass === AlertClass.custom ? { tab: "custom" } : {};
  return (
    <Fact label="Rule">
      <Link className={classes.link} to="/configureAlarm" search={{ ...tab, alarmId: alert.alarmId }}>
        {alert.alarmName || "Show the rule"}
      </Link>
    </Fact>
  );
};

const Times = ({ alert }: { alert: AlertInfo }) => {
  const { createdTime, acceptTime, modifiedTime, acceptName } = alert;
  const { recent } = useRecent();
  return (
    <>
      <Fact label="Triggered">{recent(createdTime)}</Fact>
      <Fact label={modifiedTime ? "Stood for" : "Standing for"}>
        {modifiedTime ? (
          exactDuration(modifiedTime.getTime() - createdTime.getTime())
        ) : (
          <Lasting since={createdTime} isExact />
        )}
      </Fact>
      {acceptTime && (
        <Fact label="Confirmed">
          {recent(acceptTime)}
          {acceptName !== null && <Person name={acceptName} />}
        </Fact>
      )}
      {modifiedTime && <Fact label="Cleared">{recent(modifiedTime)}</Fact>}
    </>
  );
};

/** Which alert of the family came first, where several were raised within a minute. */
const Order = ({ alert }: { alert: AlertInfo }) => {
  const { firstOf, follows } = alert;
  if (firstOf === null && !follows) return null;
  return (
    <Fact label="First-out">
      {firstOf !== null && <FirstOutGlyph />}
      {follows ? (
        <>
          <small>{durationText(follows.seconds * 1000)} after</small>
          <Link className={classes.link} to="/alarms/detail" search={{ alarmLogId: follows.alarmLogId }}>
            {follows.name}
          </Link>
        </>
      ) : (
        orderText(alert)
      )}
    </Fact>
  );
};

/** Until when nobody is notified of it, who said so, and why. */
const SilenceFact = ({ alert: { silence } }: { alert: AlertInfo }) => {
  const { recent } = useRecent();
  return (
    silence && (
      <Fact label={silenceLabels[silence.kind]}>
        {silence.endTime === null ? "It is heard again" : recent(silence.endTime)}
        <small>{silence.reason}</small>
        {silence.byName !== null && <Person name={silence.byName} />}
      </Fact>
    )
  );
};

/** The alert's state with its value and its facts. */
export const EntryState = ({ alert }: { alert: AlertInfo }): ReactNode => (
  <section
    className={classes.state}
    data-status={alert.silence === null ? alert.status : "silent"}
    aria-label={`State of ${alertName(alert)}`}
  >
    <div className={classes.value}>
      <StatusLabel {...alertStatusLook(alert.status, isShownSilent(alert))} />
      {alert.deviceChannelId === null || alert.value === null ? (
        <p className={classes.message}>{alert.msg || alertTypeLabels[alert.alarmType]}</p>
      ) : (
        <Value alert={alert} channelId={alert.deviceChannelId} />
      )}
    </div>
    <dl className={classes.facts}>
      {alert.alarmType === AlertType.system ? (
        <Fact label="Type">{alertTypeLabels[alert.alarmType]}</Fact>
      ) : (
        <>
          <Fact label="Limit">
            {valueOr(alert, alert.threshold)} <small>{alertTypeLabels[alert.alarmType]}</small>
          </Fact>
          <Fact label="Raised at">{valueOr(alert, alert.value)}</Fact>
          {alert.status !== AlertStatus.cleared && <Fact label="Peak">{valueOr(alert, alert.peak)}</Fact>}
        </>
      )}
      <Times alert={alert} />
      <Fact label="Who has it">
        <Assignee alert={alert} />
      </Fact>
      <Rule alert={alert} />
      <Order alert={alert} />
      <SilenceFact alert={alert} />
    </dl>
  </section>
);
