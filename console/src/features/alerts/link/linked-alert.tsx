import { UnreachableError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { alertLinks, type LinkedAlert as Linked } from "@telltale/contract/domains/alerting/links";
import { AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { type ReactNode, useEffect } from "react";
import { alertStatusLook } from "../../../domain/alerts/alert-status.ts";
import { alertName, alertValue, channelBeside, isLevel, readingValue } from "../../../domain/alerts/alert-text.ts";
import { durationText } from "../../../domain/alerts/duration.ts";
import { Lasting } from "../../../domain/alerts/lasting.tsx";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { ContactTypeIcon } from "../../../domain/contact-type-icon.tsx";
import { useCall } from "../../../session/use-call.ts";
import { recentShort } from "../../../ui/format/time.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { StatusLabel } from "../../../ui/status/status-label.tsx";
import { documentTitle } from "../../../ui/title.ts";
import { WhatToDo } from "../entry/what-to-do.tsx";
import { ConfirmByLink } from "./confirm-by-link.tsx";
import { LinkFrame } from "./link-frame.tsx";
import classes from "./linked-alert.module.css";

/** By what the link was sent, in a sentence. */
const messages: Record<Linked["recipient"]["by"], string> = { 1: "mail", 2: "SMS", 3: "message", 4: "push" };

/** What has become of the alert since the message. */
const outcome = ({ status, acceptTime, acceptName, modifiedTime }: Linked["alert"]): string => {
  const confirmed = acceptTime
    ? `Confirmed ${acceptName === null ? "" : `by ${acceptName} `}at ${recentShort(acceptTime)}.`
    : "";
  if (status === AlertStatus.triggered) return "Nothing is confirmed yet.";
  if (status === AlertStatus.confirmed) return confirmed;
  const cleared = modifiedTime ? `Cleared at ${recentShort(modifiedTime)}.` : "Cleared.";
  return confirmed === "" ? `${cleared} It needs no confirmation any more.` : `${confirmed} ${cleared}`;
};

/** Whose link it is, and that opening it has confirmed nothing. */
const Owner = ({ linked: { recipient, alert } }: { linked: Linked }) => (
  <p className={classes.owner} role="status">
    <ContactTypeIcon type={recipient.by} />
    <span>
      Opened from the {messages[recipient.by]} to <b>{recipient.name}</b>. {outcome(alert)}
    </span>
  </p>
);

/** The value now while the alert stands, its most extreme one afterwards; a device's event in words. */
const Value = ({ linked: { alert, now } }: { linked: Linked }) => {
  const isCleared = alert.status === AlertStatus.cleared;
  const own = isCleared ? (alert.peak ?? alert.value) : alert.value;
  if (own === null || alert.alarmType === AlertType.system) return <p className={classes.message}>{alert.msg}</p>;
  const text = isCleared || now === null ? alertValue(own, alert) : readingValue(now, alert);
  const [figure, ...unit] = text.split(" ");
  return (
    <p className={classes.value} data-status={alert.status}>
      {figure} <small>{unit.join(" ")}</small>
      {isCleared && <small>peak</small>}
    </p>
  );
};

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

const Facts = ({ alert }: { alert: Linked["alert"] }) => {
  const { threshold, peak, createdTime, status } = alert;
  const isFigure = !isLevel(alert);
  return (
    <dl className={classes.facts}>
      {threshold !== null && isFigure && <Fact label="Limit" value={alertValue(threshold, alert)} />}
      {peak !== null && isFigure && status !== AlertStatus.cleared && (
        <Fact label="Peak" value={alertValue(peak, alert)} />
      )}
      <Fact label="Since" value={recentShort(createdTime)} />
    </dl>
  );
};

/** How long it has stood, or stood. */
const Stood = ({ createdTime, modifiedTime }: Linked["alert"]) =>
  modifiedTime ? (
    <span>{durationText(modifiedTime.getTime() - createdTime.getTime())}</span>
  ) : (
    <Lasting since={createdTime} />
  );

interface LoadedProps {
  link: string;
  linked: Linked;
  trend: LinkedAlertProps["trend"];
  onChanged: () => void;
}

const Loaded = ({ link, linked, trend, onChanged }: LoadedProps) => {
  const { alert, plantName } = linked;
  useEffect(() => {
    document.title = documentTitle(alertName(alert));
  }, [alert]);
  return (
    <>
      <Owner linked={linked} />
      <main className={classes.alert}>
        <div className={classes.head}>
          <PriorityPlate priority={alert.priority} />
          <StatusLabel {...alertStatusLook(alert.status)} />
          <Stood {...alert} />
        </div>
        <h1>{alertName(alert)}</h1>
        <p className={classes.place}>
          {[channelBeside(alert), alert.deviceName, plantName].filter(Boolean).join(", ")}
        </p>
        <Value linked={linked} />
        <Facts alert={alert} />
        <WhatToDo response={linked.response} />
        {linked.trend !== null && linked.trend.dataXs.length > 0 && trend(linked)}
      </main>
      {alert.status === AlertStatus.triggered && <ConfirmByLink link={link} linked={linked} onDone={onChanged} />}
    </>
  );
};

interface LinkedAlertProps {
  /** The secret part of the address; empty when the address has none. */
  link: string;
  /** Draws the trend of the alert's channel. */
  trend: (linked: Linked) => ReactNode;
}

/** The interval at which an open page looks for changes, milliseconds. */
const refreshed = 30_000;

/** The page of the link in an alert's message. Opening it confirms nothing: mail scanners open links, too. */
export const LinkedAlert = ({ link, trend }: LinkedAlertProps) => {
  const { data, error, isPending, refetch } = useCall(
    alertLinks.info,
    { link },
    { placeholderData: undefined, retry: false, refetchInterval: refreshed, meta: { isShownInPlace: true } },
  );
  const again = () => void refetch();
  const to = data ? `/alarms/detail?alarmLogId=${data.alert.alarmLogId}` : "/alarms";
  const isRefused = error !== null && error.code !== Code.internal && error.code !== Code.tooManyTries;
  const isTransient = error instanceof UnreachableError || !isRefused;
  if (data && (error === null || isTransient))
    return (
      <LinkFrame to={to} isLit={data.alert.status === AlertStatus.triggered}>
        <Loaded link={link} linked={data} trend={trend} onChanged={again} />
      </LinkFrame>
    );
  return (
    <LinkFrame to="/alarms" isLit={false}>
      <main className={classes.alert}>
        {isPending && (
          <p role="status" className={classes.place}>
            Opening the alert
          </p>
        )}
        {error && isTransient && <ErrorState error={error} onRetry={again} />}
        {error && !isTransient && (
          <>
            <h1>Alert</h1>
            <p role="alert" className={classes.refusal}>
              {error.message}
            </p>
          </>
        )}
      </main>
    </LinkFrame>
  );
};
