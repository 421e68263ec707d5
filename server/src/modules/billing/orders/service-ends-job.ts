import { LiveCommand } from "@telltale/contract/live";
import { createPeriodicJob, type PeriodicJob } from "../../../platform/jobs/periodic.ts";
import type { World } from "../../../world.ts";

/** Interval of the job, milliseconds. */
const every = 60_000;
/** Ends older than this are not looked for when another node has done the job, milliseconds: its screens know them. */
const longest = 600_000;

/** Creates the job that makes open screens show that a device's service has ended: nothing is saved then that would. */
export const createServiceEnds = (
  world: Pick<World, "db" | "bus" | "clock" | "log" | "metrics" | "node">,
): PeriodicJob => {
  const { db, bus, clock } = world;
  let lookedUntil = clock.now();
  const work = async (): Promise<void> => {
    const now = clock.now();
    const ended = await db
      .selectFrom("devices")
      .select(["device_id", "plant_id"])
      .where("expire_time", ">", new Date(Math.max(lookedUntil, now - longest)))
      .where("expire_time", "<=", new Date(now))
      .execute();
    lookedUntil = now;
    for (const { device_id: deviceId, plant_id: plantId } of ended)
      if (plantId !== null) bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
  };
  return createPeriodicJob({
    name: "service ends",
    every,
    work,
    failureMessage: "Could not look for services that have ended; open screens show them at their next refresh",
    world,
  });
};
