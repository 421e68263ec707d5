import { DeviceType, deviceStatusLabels } from "@telltale/contract/domains/devices";
import { statusOf } from "../../access/index.ts";
import type { Operator } from "../open.ts";
import type { Row } from "../print.ts";

/** All units with owner, access token and status; with `ownerEmail` only that owner's. */
export const listDevices = async ({ db, clock }: Operator, ownerEmail?: string): Promise<Row[]> => {
  const rows = await db
    .selectFrom("devices")
    .leftJoin("plants as p", "p.plant_id", "devices.plant_id")
    .leftJoin("accounts as a", "a.account_id", "p.plant_id")
    .leftJoin("users as u", "u.user_id", "a.user_id")
    .leftJoin("devices as master", "master.device_id", "devices.parent_device_id")
    .select([
      "devices.device_id",
      "devices.device_sn_id",
      "devices.device_sn",
      "devices.device_type",
      "devices.device_name",
    ])
    .select(["devices.access_token", "devices.plant_id", "p.name as plant", "u.email", "master.device_sn_id as parent"])
    .select(statusOf(clock.date()).as("status"))
    .where("devices.device_id", "not in", db.selectFrom("deleted_devices").select("deleted_devices.device_id"))
    .$if(ownerEmail !== undefined, (query) =>
      query.where(({ eb, fn }) => eb(fn<string>("lower", ["u.email"]), "=", (ownerEmail ?? "").toLowerCase())),
    )
    .orderBy("devices.device_id")
    .execute();
  return rows.map((row) => ({
    deviceSnId: row.device_sn_id,
    deviceSn: row.device_sn,
    deviceType: row.device_type === DeviceType.main ? "main" : "sub",
    deviceName: row.device_name || null,
    parent: row.parent,
    plant: row.plant,
    owner: row.email,
    status: row.plant_id === null ? "Unclaimed" : deviceStatusLabels[row.status],
    accessToken: row.access_token,
  }));
};
