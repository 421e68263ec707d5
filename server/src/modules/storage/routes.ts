import { bytesPerReading, noticeDays, type storage } from "@telltale/contract/domains/readings/storage";
import { isDeviceInScope } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { changeMonths, monthsOfPlant, storageUsage, storedOf } from "./queries.ts";
import { noticedTime } from "./rules.ts";

const dayLength = 86_400_000;

/** Sets for how many months the readings of a device are kept, or those of the plant; 0: as long as the next one says. */
const keep = async (
  { db, clock }: Pick<World, "db" | "clock">,
  { plantId, userId }: Caller,
  input: number,
  deviceId?: number,
): Promise<null> => {
  const months = input === 0 ? null : input;
  await db.transaction().execute(async (trx) => {
    const change = await changeMonths(trx, { plantId, deviceId, months });
    if (!change) throw notFound();
    const detail = { deviceId, before: { monthsKept: change.before }, after: { monthsKept: months } };
    await audit(trx, { plantId, userId, action: "readings.keep", detail, now: clock.date() });
  });
  return null;
};

/** `operatorMonths`: for how many months the operator keeps readings; null: for ever. */
export const storageRoutes = (
  { db, clock }: Pick<World, "db" | "clock">,
  operatorMonths: number | null,
): Handlers<typeof storage> => ({
  ofDevice: async ({ deviceId }, caller) => {
    const stored = (await isDeviceInScope(db, caller, deviceId)) ? await storedOf(db, deviceId) : undefined;
    if (!stored) throw notFound();
    const [usage] = await storageUsage(db, deviceId);
    const noticed = usage ? noticedTime(usage) : null;
    return {
      readings: stored.readings,
      usedBytes: stored.readings * bytesPerReading,
      storageSpace: usage?.storage_space ?? null,
      readingsFrom: stored.readings_from,
      monthsKept: { device: stored.device_months, plant: stored.plant_months, operator: operatorMonths },
      notice: noticed && {
        noticedTime: noticed,
        summarisedTime: new Date(noticed.getTime() + noticeDays * dayLength),
      },
    };
  },
  ofPlant: async (_, { plantId }) => ({ ...(await monthsOfPlant(db, plantId)), operator: operatorMonths }),
  keepOfDevice: ({ deviceId, months }, caller) => keep({ db, clock }, caller, months, deviceId),
  keepOfPlant: ({ months }, caller) => keep({ db, clock }, caller, months),
});
