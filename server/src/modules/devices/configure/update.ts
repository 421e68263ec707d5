import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import { type deviceConfiguration, UpdateEffect } from "@telltale/contract/domains/device-configuration";
import { notify } from "../../../platform/bus/device-notices.ts";
import type { Database } from "../../../platform/database/schema/schema.ts";
import { type CallDevice, CallFailed, type CallFault, refusalIn } from "../../../platform/device-calls.ts";
import { conflict, invalid, notFound } from "../../../platform/http/api-error.ts";
import type { Caller } from "../../../platform/http/caller.ts";
import type { World } from "../../../world.ts";
import { changeDevice, type LockedDevice, lockedDevice, record } from "./change-queries.ts";
import { intervalError, isRestart } from "./configuration.rules.ts";
import { setChannelIntervals } from "./interval.ts";

interface Needs extends Pick<World, "db" | "clock"> {
  callDevice: CallDevice;
}
type RequestInput = Input<typeof deviceConfiguration.update>;

const locked = async (db: Database, fields: RequestInput, { plantId }: Caller): Promise<LockedDevice> => {
  const device = await lockedDevice(db, plantId, fields.deviceId);
  if (!device) throw notFound();
  if (fields.version !== undefined && fields.version !== device.version) throw conflict(Message.changedMeanwhile);
  return device;
};

const change = async (db: Database, device: LockedDevice, fields: RequestInput, caller: Caller, now: Date) => {
  const { device_id: deviceId, report_interval_limit: limit } = device;
  const before = {
    deviceName: device.device_name,
    offlineReport: device.offline_report,
    periodicity: device.periodicity,
  };
  const { deviceName, offlineReport, periodicity } = fields;
  const after = {
    deviceName: deviceName ?? before.deviceName,
    offlineReport: offlineReport ?? before.offlineReport,
    periodicity: periodicity ?? before.periodicity,
  };
  const validationError = periodicity === undefined ? undefined : intervalError(periodicity, limit);
  if (validationError) throw invalid(validationError);
  const version = await changeDevice(db, deviceId, {
    device_name: after.deviceName,
    offline_report: after.offlineReport,
    periodicity: after.periodicity,
  });
  if (after.periodicity !== before.periodicity)
    await setChannelIntervals(db, { deviceId, userId: caller.userId, reportInterval: after.periodicity, now });
  await record(db, { caller, deviceId, action: "device.edit", detail: { before, after }, now });
  await notify(db, { plantId: caller.plantId, deviceId });
  return version;
};

const sentences: Record<CallFault, (name: string) => string> = {
  "not-connected": (name: string) => `${name} is not connected. It can be restarted when it is online`,
  "not-listening": (name: string) =>
    `${name} is connected but has not subscribed to commands. Restart it on site, or have its firmware subscribe to RPC requests`,
  "no-answer": (name: string) => `${name} did not answer. It may be asleep: please try again in a while`,
  "too-large": (name: string) =>
    `${name} may have restarted: it answered with more than the servers can pass on to each other`,
};

/** Has the device restart; the result is recorded in any case. */
const restart = async ({ db, clock, callDevice }: Needs, device: LockedDevice, caller: Caller): Promise<void> => {
  const { device_id: deviceId, device_name: name } = device;
  const note = (outcome: string) =>
    record(db, { caller, deviceId, action: "device.restart", detail: { outcome }, now: clock.date() });
  const answer = await callDevice(deviceId, "restart", {}).catch(async (fault: unknown) => {
    if (!(fault instanceof CallFailed)) throw fault;
    await note(fault.reason.replaceAll("-", " "));
    throw conflict(sentences[fault.reason](name));
  });
  if (refusalIn(answer) !== undefined) {
    await note("refused");
    throw conflict(`${name} refused to restart`);
  }
  await note("restarted");
};

/** Edits a device, changes its report interval, or restarts it; see the contract. */
export const updateDevice = async (needs: Needs, fields: RequestInput, caller: Caller) => {
  const { db, clock } = needs;
  const done = await db.transaction().execute(async (trx) => {
    const device = await locked(trx, fields, caller);
    if (isRestart(fields, device.periodicity)) return { device };
    return { version: await change(trx, device, fields, caller, clock.date()) };
  });
  if (done.device === undefined) return { effect: UpdateEffect.changed, version: done.version };
  // Not in the transaction: the device may take long to answer.
  await restart(needs, done.device, caller);
  return { effect: UpdateEffect.restarted, version: done.device.version };
};
