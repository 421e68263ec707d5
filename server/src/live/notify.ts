import { sql } from "kysely";
import type { Database } from "../world.ts";
import type { DeviceEnd } from "./bus.ts";

/** The database's channel on which a transaction says that it changed a device: also to other processes, such as the operator's commands. */
export const noticeChannel = "telltale_device_change";

/** What is said on it: without a device, only the plant's dashboards changed. */
export interface Notice {
  plantId: number;
  deviceId?: number;
  ended?: DeviceEnd | undefined;
}

/** Tells every running server what this transaction changed, when it is committed: caches, the device itself, open screens. */
export const notify = async (db: Database, notice: Notice): Promise<void> => {
  await sql`select pg_notify(${noticeChannel}, ${JSON.stringify(notice)})`.execute(db);
};
