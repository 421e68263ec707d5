import type { Input } from "@telltale/contract/call/call";
import type { alarms } from "@telltale/contract/domains/alarms";
import type { Database } from "../../platform/database/schema/schema.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Rule } from "../evaluate.ts";
import { customRule } from "../rules/channel.rules.ts";
import { check } from "./configure.ts";

/** The rule that a custom alarm would be, and the channel that it would watch; refused as adding it would be. */
export const ruleToTry = async (
  db: Database,
  input: Input<typeof alarms.add>,
  caller: Caller,
): Promise<{ channelId: number; rule: Rule }> => {
  await check(db, input, caller);
  const { deviceChannelId: channelId, type, alarmValue: value, alarmHysteresis: hysteresis = 0 } = input;
  if (channelId === undefined || type === undefined || value === undefined) throw notFound();
  const { onDelay = 0, offDelay = 0, times = 1, window = 0 } = input;
  const alarm = { alarmId: 0, type, value, hysteresis, onDelay, offDelay, times, window };
  return { channelId, rule: customRule(channelId, alarm) };
};
