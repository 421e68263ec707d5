import { AlertClass, type AlertPriority, AlertType, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { zoneOf } from "@telltale/contract/text/wall-clock";

/** The facts of an alert at the time it was raised: the statement that raises it stores them in the outbox. */
export interface AlertFacts {
  alarmClass: number;
  alarmType: AlertType;
  /** The rule that notifies this recipient. */
  alarmName: string;
  deviceSnId: string;
  deviceName: string;
  /** Name and code of the channel; null for an alert about the whole device. */
  channelName: string | null;
  channelCn: string | null;
  /** Whether the channel is a contact, whose values are ON and OFF. Absent in messages that an older version has queued. */
  isSwitch?: boolean;
  value: number | null;
  unit: string;
  threshold: number | null;
  msg: string;
  /** When it happened by the device's clock, and when the server learned of it; epoch milliseconds. */
  time: number;
  toldTime: number;
  zone: string;
  plantName: string;
  /** Key of the contact's unsubscribe link. Null for a user. */
  stopKey: string | null;
  /** Id of the alert, with the rule's priority and what it says to do. Absent in messages that an older version has queued. */
  alertId?: number;
  priority?: AlertPriority;
  response?: string;
  /** Minutes for which nobody has confirmed it; absent in the first messages about it. */
  minutes?: number;
  /** The escalation plan names the recipient, and not the alert's rule. */
  isOfPlan?: boolean;
  /** When it cleared, if it had when the message was written; epoch milliseconds. */
  clearedTime?: number;
  /** The message says that it has cleared. */
  isBackToNormal?: boolean;
  /** Id of the alert if it was already old when raised: it is sent only while that alert is open. */
  onlyWhileOpen: number | null;
}

const largest = 1e12;

const withDecimals = (value: number, decimals: number): string => {
  if (Math.abs(value) >= largest) return value.toExponential(3);
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
};

const levels: readonly number[] = [AlertType.digitalInput, AlertType.digitalOutput];
/** Whether the value is ON or OFF. */
const isLevelOf = ({ alarmType, isSwitch }: AlertFacts): boolean => levels.includes(alarmType) || isSwitch === true;

/** A value as the alert log shows it; levels are ON or OFF. */
const valueText = (facts: AlertFacts, value: number): string => {
  if (isLevelOf(facts)) return value > 0 ? "ON" : "OFF";
  const { alarmType, unit } = facts;
  const text = withDecimals(value, alarmType === AlertType.counting ? 0 : 2);
  return unit === "" ? text : `${text} ${unit}`;
};

/** Delay from which a report counts as late, milliseconds: the device has buffered its readings. */
const lateAfter = 5 * 60_000;

/** The alert's facts as texts for mail and SMS. */
export const alertText = (facts: AlertFacts) => {
  const isNotice = facts.alarmClass === AlertClass.notification || facts.value === null || facts.channelName === null;
  const zone = zoneOf(facts.zone);
  const stamp = zone.stamp(facts.time);
  const isLevel = isLevelOf(facts);
  return {
    /** What is told in words: the event of a device, or a condition without a value; null when a channel's value raised the alert. */
    notice: isNotice ? facts.msg : null,
    /** What is to be said of the value, such as that it is beyond the sensor's range; empty for most. */
    remark: isNotice ? "" : facts.msg,
    type: alertTypeLabels[facts.alarmType],
    value: facts.value === null ? null : valueText(facts, facts.value),
    // A level has no separate threshold.
    threshold: facts.threshold === null || isLevel ? null : valueText(facts, facts.threshold),
    time: `${stamp} (${zone.name})`,
    /** Without seconds and zone: 11-21 13:05 */
    shortTime: stamp.slice(5, 16),
    cleared: facts.clearedTime === undefined ? null : `${zone.stamp(facts.clearedTime)} (${zone.name})`,
    isLate: facts.toldTime - facts.time > lateAfter,
  };
};
