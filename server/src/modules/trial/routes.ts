import type { Input } from "@telltale/contract/call/call";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import type { AlarmTrial, alarmTrial } from "@telltale/contract/domains/alerting/trial";
import { AlertClass } from "@telltale/contract/domains/alerts";
import type { Reading, Rule } from "../../alarms/evaluate.ts";
import { ruleToTry } from "../../alarms/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createTimeSlice } from "../../platform/time-slice.ts";
import { hasReadings, hoursOfRange, isSameScale, readingsInOrder } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import { createGaps, createTrial, type Occurrence, trialOf } from "./evaluation.rules.ts";
import { followGate } from "./gate-turns.ts";
import { hoursFor, tryHours } from "./hours.rules.ts";

type Needs = Pick<World, "db" | "pool" | "clock" | "log" | "metrics">;

const hour = 3_600_000;
const day = 24 * hour;
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

/** Lets a trial pause, and refuses to go on when it takes too long. */
const createPace = (clock: Needs["clock"]) => {
  const [until, slice] = [clock.steady() + longest, createTimeSlice()];
  return async (): Promise<void> => {
    if (slice.isUsedUp()) await slice.next();
    if (clock.steady() > until)
      throw invalid("This channel has more readings than can be tried at once. Try fewer days");
  };
};

interface Tried {
  channelId: number;
  rule: Rule;
  from: number;
  now: number;
  days: number;
  pace: () => Promise<void>;
}

const tryReadings = async (needs: Needs, { channelId, rule, from, now, days, pace }: Tried): Promise<AlarmTrial> => {
  const trial = createTrial(rule);
  const turnUntil = await followGate(needs, rule, { from, now, pace }, trial.turn);
  const hours = hoursFor(rule, await hoursOfRange(needs.pool, channelId, { from, to: now }));
  const read = (reading: Reading): void => {
    turnUntil(reading.ts);
    trial.read(reading);
  };
  await tryHours({ ...trial, read }, hours, async function* (first, last) {
    const [begin, end] = [Math.max(from, first * hour), Math.min(now, (last + 1) * hour - 1)];
    for await (const readings of readingsInOrder(needs, [channelId], begin, end)) {
      yield readings;
      await pace();
    }
  });
  turnUntil(now);
  return trial.result(now, days);
};

/** A rule about missing data: where another channel of the device has sent meanwhile, so that the device was not silent itself. Arrival is taken to be the readings' time. */
const trySilence = async (needs: Needs, tried: Tried): Promise<AlarmTrial> => {
  const { db, pool } = needs;
  const { channelId, rule, from, now, days, pace } = tried;
  const search = createGaps(rule);
  const turnUntil = await followGate(needs, rule, { from, now, pace }, search.turn);
  for await (const readings of readingsInOrder(needs, [channelId], from, now)) {
    for (const reading of readings) {
      turnUntil(reading.ts);
      search.read(reading);
    }
    await pace();
  }
  turnUntil(now);
  const others = await db
    .selectFrom("channels")
    .select("channel_id")
    .where("device_id", "=", ({ selectFrom }) =>
      selectFrom("channels as own").select("own.device_id").where("own.channel_id", "=", channelId),
    )
    .where("channel_id", "<>", channelId)
    .execute();
  const ids = others.map(({ channel_id }) => channel_id);
  const { gaps, readings } = search.result(now);
  const occurrences: Occurrence[] = [];
  for (const gap of gaps) {
    if (await hasReadings(pool, ids, { from: gap.from, to: gap.to ?? now })) occurrences.push(gap);
    await pace();
  }
  return { ...trialOf(occurrences, now, days), withDelay: [], readings };
};

const tryAlarm = async (needs: Needs, input: Input<typeof alarmTrial.try>, caller: Caller): Promise<AlarmTrial> => {
  const { db, clock } = needs;
  if (input.alarmClass !== AlertClass.custom) throw invalid("Only custom alerts can be tried");
  const { channelId, rule } = await ruleToTry(db, input, caller);
  const now = clock.now();
  const isOfArrivals = rule.condition === AlarmCondition.noData;
  const from = Math.max(now - input.days * day, isOfArrivals ? 0 : await scaledSince(db, channelId));
  const tried = { channelId, rule, from, now, days: input.days, pace: createPace(clock) };
  return isOfArrivals ? trySilence(needs, tried) : tryReadings(needs, tried);
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
