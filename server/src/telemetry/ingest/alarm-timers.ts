import { setTimeout as pause } from "node:timers/promises";
import { type DueDevice, dueDevices, recallPhases, waitForData } from "../../alarms/index.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import { isInParts } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { Registry } from "../devices/registry.ts";
import { createSilence } from "../presence/silence.ts";
import type { Outcome, Tick } from "./submission.ts";
import type { Writer } from "./writer.ts";

const every = 1_000;
/** Devices a run: each waits for its batch. */
const portion = 500;
/** How long a run waits for its ticks in a database in parts, milliseconds. */
const longestWait = 2_000;
/** How often rules about missing data are looked for that do not wait yet, milliseconds. */
const searchEvery = 10_000;
/** After a start, a standstill or a set clock, readings that devices have kept get this time to arrive first, milliseconds. */
const patience = 60_000;
/** A look-up or a batch that takes longer is a standstill of the database, milliseconds. Kept readings get a multiple of it to arrive, so that timers go on where it is slow all the time. */
const longestWrite = 2_000;
const patienceTimes = 5;

interface Needs extends Pick<World, "pool" | "bus" | "clock" | "log" | "metrics" | "node"> {
  registry: Registry;
  writer: Writer;
}

/** What a run of the timers knows: by the server's clock, epoch milliseconds. */
type Look = Omit<Tick, "heard">;

/** Has the writer evaluate the passing of time for a device; resolves when that is committed. */
const tickDevice = async ({ registry, writer }: Needs, { deviceId, heard }: DueDevice, look: Look): Promise<void> => {
  const device = await registry.find({ deviceId });
  if (!device) return;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const tick = { ...look, heard: Math.max(heard, device.heardAt) };
  writer.submit({ devices: [device], channels: [], times: [], values: [], tick, done: resolve });
  await promise;
};

/** Notices by the time that work takes that the database stands still. */
const createStandstill = ({ clock }: Pick<Needs, "clock">) => {
  let until = Number.NEGATIVE_INFINITY;
  return {
    /** Whether kept readings still get time to arrive. */
    isRecent: (): boolean => clock.steady() < until,
    watch: async <T>(work: () => Promise<T>): Promise<T> => {
      const began = clock.steady();
      try {
        return await work();
      } finally {
        const took = clock.steady() - began;
        if (took > longestWrite) until = clock.steady() + Math.min(patienceTimes * took, patience);
      }
    },
  };
};

/**
 * Ticks devices one after the other. In a database in parts together, and without waiting for those that take long, which are left out until they have
 * ended: one on a lost server would hold up all others.
 */
const createTicker = (needs: Needs, standstill: ReturnType<typeof createStandstill>) => {
  const pending = new Set<number>();
  const begin = async (due: DueDevice, look: Look): Promise<void> => {
    const { deviceId } = due;
    pending.add(deviceId);
    try {
      await tickDevice(needs, due, look);
    } catch (err) {
      needs.log.warn({ err, deviceId }, "Could not see to a delayed alert; retrying soon");
    } finally {
      pending.delete(deviceId);
    }
  };
  return {
    pending,
    tickAll: async (devices: readonly DueDevice[], look: Look, isStopping: () => boolean): Promise<void> => {
      if (isInParts()) {
        const all = devices.map((due) => begin(due, look));
        await Promise.race([Promise.all(all), pause(longestWait, undefined, { ref: false })]);
        return;
      }
      for (const due of devices) {
        if (isStopping() || standstill.isRecent()) return;
        await standstill.watch(() => tickDevice(needs, due, look));
      }
    },
  };
};

/** Creates the job that raises and clears alerts whose delay ends while no reading comes. */
export const createAlarmTimers = (needs: Needs): PeriodicJob => {
  const { clock, pool } = needs;
  const silence = createSilence(clock);
  const standstill = createStandstill(needs);
  const { tickAll, pending } = createTicker(needs, standstill);
  let lookedAt = clock.steady();
  let hasLooked = false;
  /** When the clock was set last, and for which such time waiting rules were recalled. */
  let [setAt, recalledFor] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let soughtAt = Number.NEGATIVE_INFINITY;
  return createPeriodicJob({
    every,
    name: "alarm timers",
    failureMessage: "Could not raise or clear the alerts whose delay has ended; retrying in a second",
    world: needs,
    work: async (isStopping) => {
      const { now, since, isClockSet } = silence.check(clock.steady() - lookedAt);
      lookedAt = clock.steady();
      if (isClockSet && hasLooked) setAt = now;
      hasLooked = true;
      if (now - since < patience || standstill.isRecent()) return;
      if (recalledFor !== setAt) {
        await recallPhases(pool, now);
        recalledFor = setAt;
      }
      if (clock.steady() - soughtAt >= searchEvery) {
        await standstill.watch(() => inTransaction(pool, (client) => waitForData(client, now)));
        soughtAt = clock.steady();
      }
      const devices = await standstill.watch(() => dueDevices(pool, now, portion, [...pending]));
      if (!standstill.isRecent()) await tickAll(devices, { now, since, setAt }, isStopping);
      // Its own work is no standstill.
      lookedAt = clock.steady();
    },
  });
};
