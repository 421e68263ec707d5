import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { type ChannelSettings, type ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import { type CustomAlarm, rulesOf } from "./channel.rules.ts";
import { holdsAfter, type Reading, type Rule } from "./limit.rules.ts";

/** A channel with everything that evaluates it. */
export interface RuledChannel {
  channelId: number;
  channelType: ChannelType;
  settings: ChannelSettings;
  custom: readonly CustomAlarm[];
  /** The newest reading under these settings; null when there is none yet. */
  newest: Reading | null;
}

/** An open alert: its rule and the setpoint at which it was raised. */
interface Open {
  key: string;
  threshold: number | null;
  /** Its condition has ended, and it waits for the delay with which its rule clears. */
  isEnding: boolean;
}

/** Whether the newest reading ends the alert. If the setpoint has changed since, the reading is evaluated as if no alert were open. */
const isOver = (rule: Rule, threshold: number | null, newest: Reading): boolean => {
  const isFault = newest.status === ReadingStatus.noData;
  if (rule.condition === AlarmCondition.fault) return !isFault;
  return !isFault && !holdsAfter(rule, threshold === rule.setpoint, newest);
};

/** Conditions that the newest reading alone decides. The others begin anew when they are changed, and end by readings to come. */
const byNewest: readonly number[] = [AlarmCondition.limit, AlarmCondition.fault];

/** Why an open alert is not justified any more: there is no such rule, or its condition has ended. Undefined while it is. */
export type End = "noRule" | "over" | undefined;

/** Why an open alert is no longer justified by any rule of the channel and its newest reading; undefined while it is. */
export const endOf = (
  { channelId, channelType, settings, custom, newest }: RuledChannel,
  { key, threshold, isEnding }: Open,
): End => {
  const rule = rulesOf(channelId, channelType, settings, custom).find((each) => each.key === key);
  if (!rule) return "noRule";
  const isEnded = byNewest.includes(rule.condition)
    ? newest !== null && !isEnding && isOver(rule, threshold, newest)
    : threshold !== null && threshold !== rule.setpoint;
  return isEnded ? "over" : undefined;
};
