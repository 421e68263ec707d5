import { type ChannelSettings, type ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import { evaluate, type Reading, type Rule } from "../evaluate.ts";
import { type CustomAlarm, rulesOf } from "./channel.rules.ts";

/** A channel with all that judges it. */
export interface EvaluatedChannel {
  channelId: number;
  channelType: ChannelType;
  settings: ChannelSettings;
  custom: readonly CustomAlarm[];
  /** The newest reading under these settings; null when there is none yet. */
  newest: Reading | null;
}

/** An open alert: which rule raised it, and at which setpoint. */
interface Open {
  key: string;
  threshold: number | null;
}

/** Whether the reading ends what the rule has open; a rule whose setpoint has changed since is judged as if nothing were open. */
const isOver = (rule: Rule, threshold: number | null, newest: Reading): boolean => {
  if (newest.status === ReadingStatus.noData) return false;
  const isSame = threshold === rule.setpoint;
  const { state } = evaluate(rule, { isOpen: isSame, ts: Number.NEGATIVE_INFINITY }, newest);
  return !state.isOpen;
};

/** Whether an open alert has nothing to stand on any more: no rule of the channel says it, by the newest reading. */
export const hasEnded = (
  { channelId, channelType, settings, custom, newest }: EvaluatedChannel,
  { key, threshold }: Open,
): boolean => {
  const rule = rulesOf(channelId, channelType, settings, custom).find((each) => each.key === key);
  if (!rule) return true;
  return newest !== null && isOver(rule, threshold, newest);
};
