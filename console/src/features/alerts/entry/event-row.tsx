import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBellRinging,
  IconCheck,
  IconNote,
  IconTrendingUp,
  IconUserPlus,
} from "@tabler/icons-react";
import {
  type AlertDelivery,
  type AlertEvent,
  AlertEventKind,
  type AlertInfo,
} from "@telltale/contract/domains/alerting/entries";
import { AlertType } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { alertValue, whyNotDelivered } from "../../../domain/alerts/alert-text.ts";
import { exactDuration } from "../../../domain/alerts/duration.ts";
import { ContactTypeIcon } from "../../../domain/contact-type-icon.tsx";
import { useStamps } from "../../../ui/format/time.ts";
import { Glyph } from "../../../ui/status/glyph.tsx";
import classes from "./timeline.module.css";

const icons: Record<AlertEventKind, ReactNode> = {
  [AlertEventKind.raised]: <Glyph name="diamond-solid-bang" size={16} className={classes.alarm ?? ""} />,
  [AlertEventKind.notified]: <IconBellRinging size={17} stroke={1.7} aria-hidden />,
  [AlertEventKind.confirmed]: <Glyph name="diamond-open-bang" size={16} className={classes.alarm ?? ""} />,
  [AlertEventKind.note]: <IconNote size={17} stroke={1.7} aria-hidden />,
  [AlertEventKind.assigned]: <IconUserPlus size={17} stroke={1.7} aria-hidden />,
  [AlertEventKind.cleared]: <Glyph name="tick" size={16} />,
  [AlertEventKind.silenced]: <Glyph name="clock" size={16} />,
  [AlertEventKind.resumed]: <IconArrowBackUp size={17} stroke={1.7} aria-hidden />,
  [AlertEventKind.returned]: <IconArrowBackUp size={17} stroke={1.7} aria-hidden />,
  [AlertEventKind.escalated]: <IconTrendingUp size={17} stroke={1.7} aria-hidden />,
  [AlertEventKind.backToNormal]: <IconBellRinging size={17} stroke={1.7} aria-hidden />,
};

const by = (event: AlertEvent) => event.by !== null && <span> by {event.by}</span>;

/** The value that it was raised at; an event of the device has a message instead. */
const Raised = ({ alert }: { alert: AlertInfo }) => {
  const { value, threshold, alarmType, msg, receivedTime, createdTime, wasSilent } = alert;
  const { dateTime } = useStamps();
  const isLate = receivedTime !== null && receivedTime.getTime() - createdTime.getTime() > 5 * 60_000;
  return (
    <>
      <h3>Raised{value !== null && alarmType !== AlertType.system && <span> at {alertValue(value, alert)}</span>}</h3>
      {value !== null && threshold !== null && alarmType !== AlertType.system && (
        <p>Limit {alertValue(threshold, alert)}</p>
      )}
      {msg !== "" && <p>{msg}</p>}
      {wasSilent && <p>It was silenced then: nobody was notified</p>}
      {isLate && <p>The device reported it at {dateTime(receivedTime)}</p>}
    </>
  );
};

const pending: Partial<Record<AlertDelivery["status"], string>> = {
  waiting: "Waiting",
  sending: "Waiting",
  held: "Waits for a summary",
};

const Delivery = ({ delivery }: { delivery: AlertDelivery }) => {
  const { to, by: type, status, time } = delivery;
  const { clock } = useStamps();
  const failure = whyNotDelivered(delivery);
  return (
    <li>
      <ContactTypeIcon type={type} />
      <span className={classes.recipient}>{to}</span>
      {failure !== undefined && (
        <span className={classes.failure}>
          <IconAlertTriangle size={15} aria-hidden />
          {failure}
        </span>
      )}
      {(status === "sent" || status === "listed") && (
        <span className={classes.sent}>
          <IconCheck size={15} role="img" aria-label="Sent" />
          {status === "listed" && "In a summary, "}
          {clock(time)}
        </span>
      )}
      {pending[status] && <span className={classes.sent}>{pending[status]}</span>}
    </li>
  );
};

/** Who was notified, and of what. */
const Notified = ({ event: { kind, deliveries } }: { event: AlertEvent }): ReactNode => (
  <>
    {kind === AlertEventKind.notified && <h3>Notified</h3>}
    {kind === AlertEventKind.escalated && (
      <h3>
        Escalated <span>nobody had confirmed it</span>
      </h3>
    )}
    {kind === AlertEventKind.backToNormal && (
      <h3>
        Notified <span>back to normal</span>
      </h3>
    )}
    <ul className={classes.deliveries}>
      {deliveries.map((delivery) => (
        <Delivery key={`${delivery.by} ${delivery.to} ${delivery.time.getTime()}`} delivery={delivery} />
      ))}
    </ul>
  </>
);

/** A silence, or its end: by hand, or by itself. */
const Silence = ({ event }: { event: AlertEvent }): ReactNode => {
  if (event.kind === AlertEventKind.silenced)
    return (
      <>
        <h3>Silenced{by(event)}</h3>
        {event.note !== "" && <q>{event.note}</q>}
      </>
    );
  if (event.kind === AlertEventKind.resumed) return <h3>Silence ended{by(event)}</h3>;
  return (
    <h3>
      Returned <span>the silence ended by itself</span>
    </h3>
  );
};

const Words = ({ event, alert }: { event: AlertEvent; alert: AlertInfo }): ReactNode => {
  switch (event.kind) {
    case AlertEventKind.raised:
      return <Raised alert={alert} />;
    case AlertEventKind.notified:
    case AlertEventKind.escalated:
    case AlertEventKind.backToNormal:
      return <Notified event={event} />;
    case AlertEventKind.confirmed:
      return <h3>Confirmed{by(event)}</h3>;
    case AlertEventKind.note:
      return (
        <>
          <h3>
            {event.by ?? "Somebody"} <span>noted</span>
          </h3>
          <q>{event.note}</q>
        </>
      );
    case AlertEventKind.silenced:
    case AlertEventKind.resumed:
    case AlertEventKind.returned:
      return <Silence event={event} />;
    case AlertEventKind.assigned:
      return (
        <h3>
          {event.to === null ? "Assigned to nobody" : `Assigned to ${event.to}`}
          {by(event)}
        </h3>
      );
    case AlertEventKind.cleared:
      return (
        <>
          <h3>Cleared</h3>
          <p>Stood for {exactDuration(event.time.getTime() - alert.createdTime.getTime())}</p>
        </>
      );
  }
};

/** One event of the timeline: its time, its glyph, and what happened. */
export const EventRow = ({ event, alert }: { event: AlertEvent; alert: AlertInfo }): ReactNode => {
  const { clock, dateTime, day } = useStamps();
  return (
    <li>
      <time dateTime={event.time.toISOString()} title={dateTime(event.time)}>
        {clock(event.time)}
        {day(event.time) !== day(alert.createdTime) && <small>{day(event.time).slice(5)}</small>}
      </time>
      <span className={classes.glyph}>{icons[event.kind]}</span>
      <div>
        <Words event={event} alert={alert} />
      </div>
    </li>
  );
};
