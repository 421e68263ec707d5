import { AlertClass, AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";

/** What is told of an alert, as it was when the alert was raised: the statement that raises it writes this into the outbox. */
export interface AlertFacts {
  alarmClass: number;
  alarmType: AlertType;
  /** The rule by which its reader is told. */
  alarmName: string;
  deviceSnId: string;
  deviceName: string;
  /** The channel as it is called and its code; null of an alert about the whole device. */
  channelName: string | null;
  channelCn: string | null;
  value: number | null;
  unit: string;
  threshold: number | null;
  msg: string;
  /** When it happened by the device's clock, and when it was known, epoch milliseconds. */
  time: number;
  toldTime: number;
  zone: string;
  plantName: string;
  /** Of a contact: what its link to stop alerts carries. Null of a user. */
  stopKey: string | null;
  /** Of an alert that was old news when it was raised: its id, to be told only while it is open. */
  onlyWhileOpen: number | null;
}

const largest = 1e12;

const withDecimals = (value: number, decimals: number): string => {
  if (Math.abs(value) >= largest) return value.toExponential(3);
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
};

const levels: readonly number[] = [AlertType.digitalInput, AlertType.digitalOutput];

/** A value of the alert as the alert log shows it; levels are ON or OFF. */
const valueText = ({ alarmType, unit }: AlertFacts, value: number): string => {
  if (levels.includes(alarmType)) return value > 0 ? "ON" : "OFF";
  const text = withDecimals(value, alarmType === AlertType.counting ? 0 : 2);
  return unit === "" ? text : `${text} ${unit}`;
};

const wallClock = (zone: string) =>
  new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });

/** `2026-11-21 13:05:09` on the wall beside the device; a zone that is not known is UTC. */
const stampIn = (time: number, zone: string): { text: string; zone: string } => {
  let format: Intl.DateTimeFormat;
  let name = zone;
  try {
    format = wallClock(zone);
  } catch {
    name = "UTC";
    format = wallClock(name);
  }
  const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return { text: `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`, zone: name };
};

/** A device that reports later than this has kept its readings for a while, milliseconds. */
const lateAfter = 5 * 60_000;

/** The alert's facts in words, for a mail and an SMS. */
export const alertWords = (facts: AlertFacts) => {
  const isNotice = facts.alarmClass === AlertClass.notification || facts.value === null || facts.channelName === null;
  const stamp = stampIn(facts.time, facts.zone);
  const isLevel = levels.includes(facts.alarmType);
  return {
    /** What happened to the device as a whole; null when a channel's value raised the alert. */
    notice: isNotice ? facts.msg : null,
    type: alertTypeLabels[facts.alarmType],
    value: facts.value === null ? null : valueText(facts, facts.value),
    // A level has no threshold: it is the level itself.
    threshold: facts.threshold === null || isLevel ? null : valueText(facts, facts.threshold),
    time: `${stamp.text} (${stamp.zone})`,
    /** Without seconds and zone: 11-21 13:05 */
    shortTime: stamp.text.slice(5, 16),
    isLate: facts.toldTime - facts.time > lateAfter,
  };
};
