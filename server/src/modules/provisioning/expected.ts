import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import { DeviceType } from "@telltale/contract/domains/devices";
import {
  type ExpectedRow,
  mostExpected,
  type provisioning,
  type SerialRow,
} from "@telltale/contract/domains/fleet/provisioning";
import { userNameIn } from "../../access/index.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import { offsetOf, type PageRequest, pageOf } from "../../platform/database/paging.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { provisionDevice, writeClaim } from "../devices/index.ts";
import { deviceOf, freeSerial } from "./register.ts";

type Needs = Pick<World, "db" | "clock">;

/** The plant's devices with serial numbers of their own. */
const withSerial = (db: Database, plantId: number) =>
  db
    .selectFrom("provisioned_devices as own")
    .innerJoin("devices", (join) =>
      join.onRef("devices.device_id", "=", "own.device_id").onRef("devices.plant_id", "=", "own.plant_id"),
    )
    .where("own.plant_id", "=", plantId);

const expectedOf = (db: Database, plantId: number) => withSerial(db, plantId).where("own.key_id", "is", null);

/** A page of the plant's devices that register themselves, by serial number. */
export const serialPage = async ({ db }: Needs, { plantId }: Caller, page: PageRequest): Promise<Page<SerialRow>> => {
  const ofPlant = withSerial(db, plantId);
  const { total } = await ofPlant.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await ofPlant
    .select(["own.device_id as deviceId", "own.serial"])
    .select(({ eb }) => eb("own.key_id", "is", null).as("isExpected"))
    .orderBy("own.serial")
    .offset(offsetOf(page))
    .limit(page.size)
    .execute();
  return pageOf(
    rows.map((row) => ({ ...row, isExpected: Boolean(row.isExpected) })),
    total,
    page,
  );
};

const expectedCount = async (db: Database, plantId: number): Promise<number> => {
  const counted = expectedOf(db, plantId).select(({ fn }) => fn.countAll<number>().as("count"));
  return (await counted.executeTakeFirstOrThrow()).count;
};

/** A page of the plant's devices that have not registered themselves yet, by serial number. */
export const expectedPage = async (
  { db }: Needs,
  { plantId }: Caller,
  page: PageRequest,
): Promise<Page<ExpectedRow>> => {
  const rows = await expectedOf(db, plantId)
    .leftJoin("accounts", "accounts.account_id", "own.announced_by")
    .leftJoin("users", "users.user_id", "accounts.user_id")
    .select(["own.device_id as deviceId", "own.serial", "own.announced_key as apiKeyName"])
    .select(["devices.device_name as deviceName", "devices.device_sn as deviceSn"])
    // A device in a plant has been claimed.
    .select(({ ref }) => ref("devices.claimed_time").$notNull().as("expectedTime"))
    .select(({ fn, val }) => fn.coalesce(userNameIn("users"), val("")).as("announcedBy"))
    .orderBy("own.serial")
    .offset(offsetOf(page))
    .limit(page.size)
    .execute();
  return pageOf(rows, await expectedCount(db, plantId), page);
};

const checkRoom = async (db: Database, plantId: number): Promise<void> => {
  if ((await expectedCount(db, plantId)) >= mostExpected)
    throw conflict(`A plant expects ${mostExpected} devices at most. Let some of them register first`);
};

/**
 * Adds a device to the plant before it registers itself, so that it can be configured; its token goes to whoever first registers as it with a key of
 * its model. Returns its id.
 */
export const expectDevice = ({ db, clock }: Needs, input: Input<typeof provisioning.expect>, caller: Caller) =>
  db.transaction().execute(async (trx) => {
    const { serial, deviceName, model } = input;
    const { plantId, userId, accountId, key } = caller;
    const now = clock.date();
    await lockPlant(trx, plantId);
    if (await deviceOf(trx, plantId, serial)) throw conflict(`The plant has a device of the serial number ${serial}`);
    await checkRoom(trx, plantId);
    const { deviceId, deviceSnId } = await provisionDevice(trx, { model, deviceType: DeviceType.main }, now);
    await writeClaim(trx, { deviceId, deviceSnId, deviceName, plantId, parentDeviceId: null, userId, now });
    await freeSerial(trx, plantId, serial);
    const announced = { announced_by: accountId, announced_key: key?.name ?? "" };
    const row = { device_id: deviceId, key_id: null, plant_id: plantId, serial, ...announced };
    await trx.insertInto("provisioned_devices").values(row).execute();
    return { deviceId };
  });
