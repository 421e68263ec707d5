import type { Input } from "@telltale/contract/call/call";
import type { UpdateFirmware } from "@telltale/contract/device-api";
import type { firmware } from "@telltale/contract/domains/firmware";
import { isDeviceInScope } from "../../access/index.ts";
import { notify } from "../../platform/bus/device-notices.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { type CallDevice, CallFailed, failureIn } from "../../platform/device-calls.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { lockedDevice, record } from "../devices/index.ts";
import { imagesOf, partNumberWith } from "./image-queries.ts";
import { firmwareOf } from "./list-queries.ts";
import { refuseUpdate } from "./reports.ts";
import { updateError } from "./update.rules.ts";
import { insertUpdate, type OpenUpdate, openUpdate } from "./update-queries.ts";
import { isSameVersion, versionOrder } from "./version.rules.ts";

interface Needs extends Pick<World, "db" | "clock" | "log"> {
  callDevice: CallDevice;
}
type RequestInput = Input<typeof firmware.update>;

/** Reads the device of a printed device ID and locks it until the transaction ends. */
const deviceOf = async (db: Database, deviceSnId: string, caller: Caller) => {
  const found = await db
    .selectFrom("devices")
    .select("device_id")
    .where("plant_id", "=", caller.plantId)
    .where("device_sn_id", "=", deviceSnId)
    .executeTakeFirst();
  if (!found || !(await isDeviceInScope(db, caller, found.device_id))) throw notFound();
  const device = await lockedDevice(db, caller.plantId, found.device_id);
  if (!device) throw notFound();
  return device;
};

/** The image to which the device may be updated in its current state. */
const imageFor = async (db: Database, deviceId: number, input: RequestInput, caller: Caller, now: Date) => {
  const row = await firmwareOf(db, caller, deviceId, now);
  if (!row) throw notFound();
  const order = versionOrder(input.versionNo);
  const image = (await imagesOf(db, row.deviceSn)).find(({ version }) => isSameVersion(version, input.versionNo));
  const validationError = updateError({
    name: row.deviceName,
    partNumber: row.deviceSn,
    status: row.status,
    current: row.versionNo,
    rollback: row.rollbackVersion,
    updatingTo: row.progress?.versionNo ?? null,
    ...input,
    image,
    meantFor: image || !order ? undefined : await partNumberWith(db, order),
  });
  if (validationError)
    throw validationError.kind === "conflict" ? conflict(validationError.sentence) : invalid(validationError.sentence);
  if (!image) throw notFound();
  return { image, row, isRollback: isSameVersion(image.version, row.rollbackVersion) };
};

const paramsOf = ({ device_sn, version, size, sha256 }: OpenUpdate): UpdateFirmware["params"] => ({
  title: device_sn,
  version,
  size,
  checksum: sha256,
  checksumAlgorithm: "SHA256",
});

/** The reason of an explicit refusal only: a device that does not know the command still learns of the offer from its attributes. */
const refusalIn = (answer: unknown): string | undefined => {
  const failure = failureIn(answer);
  if (!failure?.isRefusal) return undefined;
  return failure.reason === "" ? "The device refused" : `The device refused: ${failure.reason}`;
};

/** Calls the device's update method. A device that does not accept the call learns of the offer from its attributes. */
const call = async (needs: Needs, deviceId: number): Promise<void> => {
  const update = await openUpdate(needs.db, deviceId);
  if (!update) return;
  try {
    const refusal = refusalIn(await needs.callDevice(deviceId, "updateFirmware", { ...paramsOf(update) }));
    if (refusal) await refuseUpdate(needs, deviceId, refusal);
  } catch (fault) {
    if (!(fault instanceof CallFailed)) throw fault;
  }
};

/** Offers a version to a device: a newer one, or the previous one. The device reports the result. */
export const updateFirmware = async (needs: Needs, input: RequestInput, caller: Caller): Promise<void> => {
  const { db, clock, log } = needs;
  const now = clock.date();
  const deviceId = await db.transaction().execute(async (trx) => {
    const device = await deviceOf(trx, input.deviceSnId, caller);
    const { device_id, firmware_version: fromVersion } = device;
    const { image, row, isRollback } = await imageFor(trx, device_id, input, caller, now);
    const update = { plantId: caller.plantId, deviceId: device_id, imageId: image.imageId, fromVersion };
    if (!(await insertUpdate(trx, { ...update, userId: caller.userId, now })))
      throw conflict(`${row.deviceName} is being updated already`);
    const action = isRollback ? "firmware.rollback" : "firmware.update";
    const detail = { before: { version: fromVersion }, after: { version: image.version } };
    await record(trx, { caller, deviceId: device_id, action, detail, now });
    await notify(trx, { plantId: caller.plantId, deviceId: device_id });
    return device_id;
  });
  // Not awaited: a sleeping device answers when it wakes, or never.
  call(needs, deviceId).catch((fault: unknown) =>
    log.warn(
      { err: fault, deviceId },
      "Could not call a device to update; it gets the offer with its attributes when it connects",
    ),
  );
};
