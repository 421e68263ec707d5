import { type DueDevice, dueDevices, waitForData } from "../../alarms/index.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { createPeriodicJob, type PeriodicJob } from "../../platform/jobs/periodic.ts";
import type { World } from "../../world.ts";
import type { Registry } from "../devices/registry.ts";
import { createSilence } from "../presence/silence.ts";
import type { Outcome } from "./submission.ts";
import type { Writer } from "./writer.ts";

const every = 1_000;
/** Devices a run: each waits for its batch. */
const portion = 500;
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

/** Creates the job that raises and clears alerts whose delay ends while no reading comes. */
export const createAlarmTimers = (needs: Needs): PeriodicJob => {
  const { clock, pool } = needs;
  const silence = createSilence(clock);
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
      for (const due of await dueDevices(pool, now, portion)) {
        if (isStopping()) return;
        await tickDevice(needs, due, since);
      }
    },
  });
};
