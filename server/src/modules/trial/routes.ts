import type { Input } from "@telltale/contract/call/call";
import type { AlarmTrial, alarmTrial } from "@telltale/contract/domains/alerting/trial";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { ruleToTry } from "../../alarms/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import { isSameScale, readingsInOrder } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { createTrial } from "./evaluation.rules.ts";

type Needs = Pick<World, "db" | "pool" | "clock">;

const day = 86_400_000;
/** Longest time that a trial may take, milliseconds. */
const longest = 15_000;

/** Time since which the channel's readings mean what they mean now, epoch milliseconds; 0 when they always did. */
const scaledSince = async (db: Database, channelId: number): Promise<number> => {
  const periods = await db
    .selectFrom("settings_periods")
    .select(["start_time", "settings"])
    .where("channel_id", "=", channelId)
    .orderBy("start_time", "desc")
    .execute();
  const [inForce] = periods;
  if (!inForce) return 0;
  const other = periods.findIndex(({ settings }) => !isSameScale(settings, inForce.settings));
  return other === -1 ? 0 : (periods[other - 1]?.start_time.getTime() ?? 0);
};

const tryAlarm = async (
  { db, pool, clock }: Needs,
  input: Input<typeof alarmTrial.try>,
  caller: Caller,
): Promise<AlarmTrial> => {
  if (input.alarmClass !== AlertClass.custom) throw invalid("Only custom alerts can be tried");
  const { channelId, rule } = await ruleToTry(db, input, caller);
  const [now, until] = [clock.now(), clock.steady() + longest];
  const from = Math.max(now - input.days * day, await scaledSince(db, channelId));
  const trial = createTrial(rule);
  const slice = createTimeSlice();
  for await (const readings of readingsInOrder(pool, [channelId], from, now)) {
    for (const reading of readings) trial.read(reading);
    if (slice.isUsedUp()) await slice.next();
    if (clock.steady() > until)
      throw invalid("This channel has more readings than can be tried at once. Try fewer days");
  }
  return trial.result(now, input.days);
};

export const alarmTrialRoutes = (needs: Needs): Handlers<typeof alarmTrial> => {
  const trying = new Set<number>();
  return {
    try: async (input, caller) => {
      if (trying.has(caller.accountId)) throw conflict("Another trial of yours is under way");
      trying.add(caller.accountId);
      try {
        return await tryAlarm(needs, input, caller);
      } finally {
        trying.delete(caller.accountId);
      }
    },
  };
};
