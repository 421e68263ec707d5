import {
  occurrences,
  planOf,
  type WindowInput,
  windowBounds,
  windowErrors,
} from "@telltale/contract/domains/alerting/maintenance";
import { SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { sql } from "kysely";
import { devicesInScope } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import { lockPlant } from "../../platform/database/lock-plant.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { resumeEscalations } from "../escalation/progress.ts";
import type { ChangedAlert } from "../lifecycle.ts";
import { noteOnStanding } from "./queries.ts";

/** Requires devices of the account's scope. */
export const checkDevices = async (db: Database, caller: Caller, deviceIds: readonly number[]): Promise<void> => {
  const wanted = new Set(deviceIds);
  const seen = await devicesInScope(db, caller)
    .where(sql<boolean>`devices.device_id = any(${[...wanted]}::int[])`)
    .select("devices.device_id")
    .execute();
  if (seen.length < wanted.size) throw notFound();
};

/** The columns of a window as it is entered, with its first occurrence that has not ended. */
const columnsOf = (input: WindowInput, now: Date) => {
  const [wrong] = windowErrors(input);
  if (wrong) throw invalid(wrong[1]);
  const plan = planOf(input);
  const [first] = occurrences(plan, now.getTime(), 1);
  if (!first) throw invalid("This window is over already. Enter a later day");
  return { alarm_name: input.name ?? "", plan, start_time: first.start, end_time: first.end };
};

/** The devices of a window, locked with it. */
export const windowDevices = async (db: Database, silenceId: number): Promise<number[]> => {
  const rows = await db.selectFrom("silence_devices").select("device_id").where("silence_id", "=", silenceId).execute();
  return rows.map((row) => row.device_id).toSorted((a, b) => a - b);
};

const keepDevices = async (db: Database, silenceId: number, deviceIds: readonly number[]): Promise<void> => {
  await db.deleteFrom("silence_devices").where("silence_id", "=", silenceId).execute();
  await db
    .insertInto("silence_devices")
    .values([...new Set(deviceIds)].map((device_id) => ({ silence_id: silenceId, device_id })))
    .execute();
};

export const changedDevices = (plantId: number, deviceIds: readonly number[]): ChangedAlert[] =>
  deviceIds.map((deviceId) => ({ plantId, deviceId }));

/** Refuses another window for a plant that has as many as it may. */
const checkCount = async (trx: Database, plantId: number): Promise<void> => {
  await lockPlant(trx, plantId);
  const { count } = await trx
    .selectFrom("silences")
    .where("plant_id", "=", plantId)
    .where("kind", "=", SilenceKind.maintenance)
    .where("ended_time", "is", null)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count >= windowBounds.windows)
    throw conflict(
      `A plant has at most ${windowBounds.windows} maintenance windows that have not ended. End one first, or add the devices to another`,
    );
};

/** Plans a maintenance window; returns the silence's id. Refused for a plant that has as many as it may. */
export const addWindow = async (
  trx: Database,
  input: WindowInput & { reason: string },
  caller: Caller,
  now: Date,
): Promise<number> => {
  const { plantId, userId, accountId } = caller;
  const { deviceIds = [], reason } = input;
  const columns = columnsOf(input, now);
  await checkCount(trx, plantId);
  const { silence_id } = await trx
    .insertInto("silences")
    .values({
      ...{ plant_id: plantId, kind: SilenceKind.maintenance, rule_key: null, device_id: null, priority: null },
      ...{ reason, created_by: accountId, created_time: now },
      ...columns,
    })
    .returning("silence_id")
    .executeTakeFirstOrThrow();
  await keepDevices(trx, silence_id, deviceIds);
  if (columns.start_time <= now)
    await noteOnStanding(trx, { ruleKeys: [], deviceIds }, { kind: "silenced", accountId, note: reason, now });
  const after = { deviceIds, plan: planOf(input), reason };
  const detail = { target: columns.alarm_name, silenceId: silence_id, after };
  await audit(trx, { plantId, userId, action: "maintenance.add", detail, now });
  return silence_id;
};

/** A locked row of a window. */
interface Window {
  silence_id: number;
  alarm_name: string;
  reason: string;
  plan: unknown;
  start_time: Date | null;
  version: number;
}

const hasBegun = ({ start_time }: Pick<Window, "start_time">, now: Date): boolean =>
  start_time !== null && start_time <= now;

/**
 * Notes at the alerts that stand that a changed window silences them now, or no longer. What was raised meanwhile escalates where the window does not hold
 * any more.
 */
const noteCovered = async (
  trx: Database,
  { had, has }: { had: readonly number[]; has: readonly number[] },
  { accountId, reason, now }: { accountId: number; reason: string; now: Date },
): Promise<void> => {
  const without = (some: readonly number[], others: readonly number[]) => ({
    ruleKeys: [],
    deviceIds: some.filter((deviceId) => !others.includes(deviceId)),
  });
  const [silenced, resumed] = [without(has, had), without(had, has)];
  await noteOnStanding(trx, silenced, { kind: "silenced", accountId, note: reason, now });
  await noteOnStanding(trx, resumed, { kind: "resumed", accountId, note: "", now });
  await resumeEscalations(trx, resumed, now);
};

/** Changes devices, times and reason of a locked window; returns the devices that it had and has. */
export const changeWindow = async (
  trx: Database,
  found: Window,
  input: WindowInput & { reason: string },
  { caller, now }: { caller: Caller; now: Date },
): Promise<number[]> => {
  const { plantId, userId } = caller;
  const { silence_id: silenceId } = found;
  const { deviceIds = [], reason } = input;
  const columns = columnsOf(input, now);
  const had = await windowDevices(trx, silenceId);
  await trx
    .updateTable("silences")
    .set({ ...columns, reason, version: found.version + 1 })
    .where("silence_id", "=", silenceId)
    .execute();
  await keepDevices(trx, silenceId, deviceIds);
  const covered = { had: hasBegun(found, now) ? had : [], has: hasBegun(columns, now) ? deviceIds : [] };
  await noteCovered(trx, covered, { accountId: caller.accountId, reason, now });
  const before = { name: found.alarm_name, deviceIds: had, plan: found.plan, reason: found.reason };
  const after = { name: columns.alarm_name, deviceIds, plan: planOf(input), reason };
  const detail = { target: columns.alarm_name, silenceId, before, after };
  await audit(trx, { plantId, userId, action: "maintenance.edit", detail, now });
  return [...had, ...deviceIds];
};
