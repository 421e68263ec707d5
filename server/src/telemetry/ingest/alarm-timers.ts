import { setTimeout as pause } from "node:timers/promises";
import { type DueDevice, dueDevices, waitForData } from "../../alarms/index.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import { isInParts } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { Registry } from "../devices/registry.ts";
import { createSilence } from "../presence/silence.ts";
import type { Outcome } from "./submission.ts";
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

interface Needs extends Pick<World, "pool" | "bus" | "clock" | "log" | "metrics" | "node"> {
  registry: Registry;
  writer: Writer;
}

/** Has the writer evaluate the passing of time for a device; resolves when that is committed. */
const tickDevice = async (
  { registry, writer }: Needs,
  { deviceId, heard }: DueDevice,
  since: number,
): Promise<void> => {
  const device = await registry.find({ deviceId });
  if (!device) return;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const tick = { heard: Math.max(heard, device.heardAt), since };
  writer.submit({ devices: [device], channels: [], times: [], values: [], tick, done: resolve });
  await promise;
};

/**
 * Ticks devices one after the other. In a database in parts together, and without waiting for those that take long, which are left out until they have
 * ended: one on a lost server would hold up all others.
 */
const createTicker = (needs: Needs) => {
  const pending = new Set<number>();
  const begin = async (due: DueDevice, since: number): Promise<void> => {
    const { deviceId } = due;
    pending.add(deviceId);
    try {
      await tickDevice(needs, due, since);
    } catch (err) {
      needs.log.warn({ err, deviceId }, "Could not see to a delayed alert; retrying soon");
    } finally {
      pending.delete(deviceId);
    }
  };
  return {
    pending,
    tickAll: async (devices: readonly DueDevice[], since: number, isStopping: () => boolean): Promise<void> => {
      if (isInParts()) {
        const all = devices.map((due) => begin(due, since));
        await Promise.race([Promise.all(all), pause(longestWait, undefined, { ref: false })]);
        return;
      }
      for (const due of devices) {
        if (isStopping()) return;
        await tickDevice(needs, due, since);
      }
    },
  };
};

/** Creates the job that raises and clears alerts whose delay ends while no reading comes. */
export const createAlarmTimers = (needs: Needs): PeriodicJob => {
  const { clock, pool } = needs;
  const silence = createSilence(clock);
  const { tickAll, pending } = createTicker(needs);
  let lookedAt = clock.steady();
  let soughtAt = Number.NEGATIVE_INFINITY;
  return createPeriodicJob({
    every,
    name: "alarm timers",
    failureMessage: "Could not raise or clear the alerts whose delay has ended; retrying in a second",
    world: needs,
    work: async (isStopping) => {
      const { now, since } = silence.check(clock.steady() - lookedAt);
      lookedAt = clock.steady();
      if (now - since < patience) return;
      if (clock.steady() - soughtAt >= searchEvery) {
        await inTransaction(pool, (client) => waitForData(client, now));
        soughtAt = clock.steady();
      }
      await tickAll(await dueDevices(pool, now, portion, [...pending]), since, isStopping);
      // Its own work is no standstill.
      lookedAt = clock.steady();
    },
  });
};
