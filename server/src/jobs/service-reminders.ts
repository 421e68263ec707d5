import { ownersAndAdmins } from "../accounts/responsible-queries.ts";
import { queueMail } from "../notify/outbox.ts";
import { reminderLetter } from "../orders/reminder-letter.ts";
import { takeReminders } from "../orders/reminder-queries.ts";
import type { World } from "../world.ts";
import { createPeriodicJob, type PeriodicJob } from "./periodic.ts";

/** How often the job looks, milliseconds: a reminder a day before the end comes well before it. */
const every = 3_600_000;

/** Reminds owners and admins by mail before the service of their devices ends, a plant's devices in one letter. */
export const createServiceReminders = (
  world: Pick<World, "db" | "clock" | "log" | "metrics" | "publicUrl">,
): PeriodicJob => {
  const { db, clock, publicUrl } = world;
  const work = (): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const now = clock.date();
      const plants = Map.groupBy(await takeReminders(trx, now), (device) => device.plant_id);
      for (const [plantId, devices] of plants) {
        const letter = reminderLetter(devices, publicUrl);
        for (const recipient of await ownersAndAdmins(trx, plantId))
          await queueMail(trx, { recipient, letter, now, plantId });
      }
    });
  return createPeriodicJob({
    name: "service reminders",
    every,
    work,
    complaint: "Ends of service were not announced; tried again in an hour",
    world,
  });
};
