import { type ChannelSettings, type ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import { holdsAfter, type Reading, type Rule } from "../evaluate.ts";
import { type CustomAlarm, rulesOf } from "./channel.rules.ts";

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
}

/** Whether the newest reading ends the alert. If the setpoint has changed since, the reading is evaluated as if no alert were open. */
const isOver = (rule: Rule, threshold: number | null, newest: Reading): boolean => {
  if (newest.status === ReadingStatus.noData) return false;
  return !holdsAfter(rule, threshold === rule.setpoint, newest);
};

/** Whether an open alert is no longer justified by any rule of the channel and its newest reading. */
export const hasEnded = (
  { channelId, channelType, settings, custom, newest }: RuledChannel,
  { key, threshold }: Open,
): boolean => {
  const rule = rulesOf(channelId, channelType, settings, custom).find((each) => each.key === key);
  if (!rule) return true;
  return newest !== null && isOver(rule, threshold, newest);
};
