import type { Input } from "@telltale/contract/call/call";
import type { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { sql } from "kysely";
import { clearOfDevice, reloadGated } from "../../../alarms/index.ts";
import { notify } from "../../../platform/bus/device-notices.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { notFound } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import { record } from "./change-queries.ts";

const deviceByPrintedId = (db: Database, plantId: number, deviceSnId: string) =>
  db
    .selectFrom("devices")
    .select(["device_id", "is_disabled"])
    .where("plant_id", "=", plantId)
    .where("device_sn_id", "=", deviceSnId)
    .executeTakeFirst();

/** Sets the switch; false when a concurrent call has set it already. */
const save = async (db: Database, plantId: number, deviceId: number, isDisabled: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("devices")
    .set({ is_disabled: isDisabled, version: sql<number>`version + 1` })
    .where("plant_id", "=", plantId)
    .where("device_id", "=", deviceId)
    .where("is_disabled", "<>", isDisabled)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Disables or enables a device, from the commit on. Either way its open alerts are cleared. */
export const switchDevice = async (
  { db, clock }: Pick<World, "db" | "clock">,
  fields: Input<typeof deviceConfiguration.updateStatus>,
  caller: Caller,
): Promise<void> => {
  const { plantId } = caller;
  const isDisabled = fields.isDisabled === 1;
  await db.transaction().execute(async (trx) => {
    const device = await deviceByPrintedId(trx, plantId, fields.deviceSnId);
    if (!device) throw notFound();
    if (device.is_disabled === isDisabled) return;
    const { device_id: deviceId } = device;
    const now = clock.date();
    await clearOfDevice(trx, deviceId, now);
    if (!(await save(trx, plantId, deviceId, isDisabled))) return;
    const action = isDisabled ? "device.disable" : "device.enable";
    await record(trx, { caller, deviceId, action, now });
    await notify(trx, { plantId, deviceId, ended: isDisabled ? "disabled" : undefined });
    await reloadGated(trx, plantId, deviceId);
  });
};
