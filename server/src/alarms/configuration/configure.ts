import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import type { alarms } from "@telltale/contract/domains/alarms";
import { rangeError } from "@telltale/contract/domains/alerting/alarm-range";
import { AlarmCondition, timesError } from "@telltale/contract/domains/alerting/conditions";
import { gateError, gateFieldsError } from "@telltale/contract/domains/alerting/gate";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { sql } from "kysely";
import { notify } from "../../platform/bus/device-notices.ts";
import { audit } from "../../platform/database/audit.ts";
import { runIn } from "../../platform/database/runner.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notAllowed, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { replanEscalations } from "../escalation/progress.ts";
import type { Rule } from "../evaluate.ts";
import { waitForData } from "../phases.ts";
import { reevaluate } from "../reevaluate.ts";
import { type AlarmGate, customKey, ruleBeside } from "../rules/channel.rules.ts";
import { endSilencesOf, followAboutDevices, followAlarm } from "../silences/queries.ts";
import { arePlantsContacts, forgetAssignments, lockAlarm, setRecipients } from "./assignments.ts";
import { channelOfDevice, gateOfDevice, isFaultWatched, isPlantsDevice } from "./channels.ts";
import { columnsOf, mayConfigure, recorded } from "./configuration.rules.ts";
import { alarmInfo } from "./list.ts";

type Needs = Pick<World, "db" | "clock">;
type RequestInput = Input<typeof alarms.add>;

const ownersOnly = "Alerts about limits and notifications are the owner's to configure";

const refuseOthers = ({ roleType }: Caller, alarmClass: AlertClass): void => {
  if (!mayConfigure(roleType, alarmClass)) throw notAllowed(ownersOnly);
};

/** Rejects a custom alarm whose condition the channel's values can never meet, or never end again. */
const checkLimit = async (db: Database, input: RequestInput, plantId: number): Promise<void> => {
  const { deviceId, deviceChannelId } = input;
  if (deviceChannelId === undefined) throw notFound();
  const range = await channelOfDevice(db, plantId, deviceId, deviceChannelId);
  if (!range) throw notFound();
  const error = timesError(input) ?? rangeError(input, range);
  if (error) throw invalid(error.message);
};

/** Rejects a gate that is not of the device's family, or would never open. */
const checkGate = async (db: Database, input: RequestInput, plantId: number): Promise<void> => {
  const { deviceId, gateChannelId } = input;
  if (!gateChannelId) return;
  const gate = await gateOfDevice(db, plantId, deviceId, gateChannelId);
  if (!gate) throw notFound();
  const error = gateFieldsError(input) ?? gateError(input, gate.range);
  if (error) throw invalid(error.message);
};

/** Rejects escalation plans of other plants; one of the plant is not deleted before the transaction has ended. */
const checkPlan = async (db: Database, plantId: number, planId: number): Promise<void> => {
  const found = db.selectFrom("plans").select("plan_id").where("plan_id", "=", planId).where("plant_id", "=", plantId);
  if (!(await found.forKeyShare().executeTakeFirst())) throw notFound();
};

/** Rejects devices, contacts and escalation plans of other plants, and alarms that the caller may not configure. */
const check = async (db: Database, input: RequestInput, caller: Caller): Promise<void> => {
  refuseOthers(caller, input.alarmClass);
  if (!(await isPlantsDevice(db, caller.plantId, input.deviceId))) throw notFound();
  if (!(await arePlantsContacts(db, caller.plantId, input.notifyUserIds ?? []))) throw notFound();
  if (input.planId) await checkPlan(db, caller.plantId, input.planId);
  if (input.alarmClass !== AlertClass.custom) return;
  await checkLimit(db, input, caller.plantId);
  await checkGate(db, input, caller.plantId);
};

interface Watched {
  device_id: number;
  channel_id: number | null;
  gate_channel_id?: number | null | undefined;
}

/** The devices of these channels. */
const devicesOf = async (db: Database, channelIds: readonly number[]): Promise<number[]> => {
  const rows = await db
    .selectFrom("channels")
    .select("device_id")
    .where(sql<boolean>`channel_id = any(${[...channelIds]}::int[])`)
    .execute();
  return rows.map(({ device_id }) => device_id);
};

/**
 * Clears alerts of the previously watched channels that no rule justifies any more, begins a changed alarm anew, and sends change notices for these
 * devices to caches and consoles.
 */
const settle = async (
  db: Database,
  plantId: number,
  watched: readonly Watched[],
  { now, changed }: { now: Date; changed?: number },
): Promise<void> => {
  const channelIds = new Set(watched.flatMap(({ channel_id }) => channel_id ?? []));
  const gates = watched.flatMap(({ gate_channel_id }) => gate_channel_id ?? []);
  const anew = changed === undefined ? [] : [{ alarmId: changed }];
  // Whoever has the gates' devices in memory learns whose gates they are by their versions.
  if (channelIds.size > 0) await reevaluate(db, [...channelIds], now, { changed: anew, gates });
  const deviceIds = new Set([...watched.map(({ device_id }) => device_id), ...(await devicesOf(db, gates))]);
  for (const deviceId of deviceIds) await notify(db, { plantId, deviceId });
};

/** The alarm as recorded in the audit log. */
const asRecorded = async (db: Database, plantId: number, alarmId: number) => {
  const info = await alarmInfo(db, plantId, alarmId);
  if (!info) throw notFound();
  return recorded(info);
};

type Recorded = ReturnType<typeof recorded>;

const record = (
  db: Database,
  { plantId, userId }: Caller,
  verb: "add" | "edit" | "delete",
  { now, ...detail }: { alarmId: number; before?: Recorded; after?: Recorded; now: Date },
): Promise<void> => {
  const target = (detail.after ?? detail.before)?.alarmName;
  return audit(db, { plantId, userId, action: `alarm.${verb}`, detail: { target, ...detail }, now });
};

/** Creates an alarm and returns its id; a custom one is evaluated from the next reading on. */
export const addAlarm = async (needs: Needs, input: RequestInput, caller: Caller): Promise<number> => {
  const { plantId, accountId } = caller;
  return needs.db.transaction().execute(async (trx) => {
    await check(trx, input, caller);
    const now = needs.clock.date();
    const columns = columnsOf(input);
    const { alarm_id: alarmId } = await trx
      .insertInto("alarms")
      .values({ ...columns, plant_id: plantId, created_by: accountId, created_time: now })
      .returning("alarm_id")
      .executeTakeFirstOrThrow();
    await setRecipients(trx, alarmId, input.notifyUserIds ?? []);
    await record(trx, caller, "add", { alarmId, after: await asRecorded(trx, plantId, alarmId), now });
    await settle(trx, plantId, [columns], { now });
    await followAboutDevices(trx, [columns], now);
    await waitForData(runIn(trx), now.getTime(), alarmId);
    return alarmId;
  });
};

/** When exactly an alarm is raised, and its gate, for clients that do not know these: they leave them as they are. */
const keptOf = (found: NonNullable<Awaited<ReturnType<typeof lockAlarm>>>) => ({
  condition: found.condition,
  onDelay: found.on_delay,
  offDelay: found.off_delay,
  times: found.times,
  window: found.times_within,
  gateChannelId: found.gate_channel_id ?? 0,
  gateType: found.gate_type ?? undefined,
  gateValue: found.gate_value ?? undefined,
  startUp: found.start_up,
});

/** What the evaluation of an alarm depends on; the other columns say who is notified, and of what. */
const evaluatedColumns = [
  ...(["device_id", "channel_id", "condition", "type", "alarm_value", "alarm_hysteresis", "is_enabled"] as const),
  ...(["on_delay", "off_delay", "times", "times_within"] as const),
  ...(["gate_channel_id", "gate_type", "gate_value", "start_up"] as const),
];

/** Whether an alarm is evaluated otherwise after the change. */
const isEvaluatedAnew = (
  before: NonNullable<Awaited<ReturnType<typeof lockAlarm>>>,
  after: ReturnType<typeof columnsOf>,
): boolean => evaluatedColumns.some((column) => after[column] !== undefined && after[column] !== before[column]);

/** The key under which a changed alarm raises its alerts; undefined where it is not a custom one. */
const keyAfter = (
  alarmId: number,
  { channel_id, condition, type }: ReturnType<typeof columnsOf>,
): string | undefined =>
  channel_id === null || condition === undefined ? undefined : customKey(channel_id, { alarmId, condition, type });

/**
 * Updates an alarm. Its open alerts are cleared when it watches something else now, or when the new limit is not exceeded; what was silenced then is
 * silent no longer. What waits begins anew only where the change says when the alarm is raised.
 */
export const updateAlarm = async (needs: Needs, given: Input<typeof alarms.update>, caller: Caller): Promise<void> => {
  const { plantId } = caller;
  await needs.db.transaction().execute(async (trx) => {
    const found = await lockAlarm(trx, plantId, given.alarmId);
    if (!found) throw notFound();
    refuseOthers(caller, found.alarm_class);
    const input = { ...keptOf(found), ...given };
    if (input.version !== undefined && input.version !== found.version) throw conflict(Message.changedMeanwhile);
    await check(trx, input, caller);
    const [now, alarmId] = [needs.clock.date(), input.alarmId];
    const before = await asRecorded(trx, plantId, alarmId);
    const columns = columnsOf(input);
    await trx
      .updateTable("alarms")
      .set({ ...columns, version: found.version + 1 })
      .where("alarm_id", "=", alarmId)
      .execute();
    if (input.notifyUserIds) await setRecipients(trx, alarmId, input.notifyUserIds);
    await record(trx, caller, "edit", { alarmId, before, after: await asRecorded(trx, plantId, alarmId), now });
    await settle(trx, plantId, [found, columns], { now, ...(isEvaluatedAnew(found, columns) && { changed: alarmId }) });
    await followAlarm(trx, { alarmId, key: keyAfter(alarmId, columns), priority: input.priority }, now);
    await followAboutDevices(trx, [found, columns], now);
    await waitForData(runIn(trx), now.getTime(), alarmId);
    // Its alerts that wait to be confirmed go on by the steps of the other plan.
    if (columns.plan_id !== undefined && columns.plan_id !== found.plan_id) await replanEscalations(trx, plantId, now);
  });
};

/** Deletes an alarm and removes it from the accounts it is assigned to; concurrent edits of these accounts conflict. */
export const removeAlarm = async (needs: Needs, alarmId: number, caller: Caller): Promise<void> => {
  const { plantId } = caller;
  await needs.db.transaction().execute(async (trx) => {
    await forgetAssignments(trx, plantId, alarmId);
    const found = await lockAlarm(trx, plantId, alarmId);
    if (!found) throw notFound();
    refuseOthers(caller, found.alarm_class);
    const [now, before] = [needs.clock.date(), await asRecorded(trx, plantId, alarmId)];
    await trx.deleteFrom("alarms").where("alarm_id", "=", alarmId).execute();
    await endSilencesOf(trx, alarmId, now);
    await record(trx, caller, "delete", { alarmId, before, now });
    await settle(trx, plantId, [found], { now, changed: alarmId });
    await followAboutDevices(trx, [found], now);
  });
};

const gateToTry = ({ gateChannelId, gateType, gateValue, startUp = 0 }: RequestInput): AlarmGate | null =>
  gateChannelId && gateType
    ? { channelId: gateChannelId, type: gateType, value: gateValue ?? null, startUp, newest: null }
    : null;

/** The rule that a custom alarm would be, and the channel that it would watch; refused as adding it would be. */
export const ruleToTry = async (
  db: Database,
  input: Input<typeof alarms.add>,
  caller: Caller,
): Promise<{ channelId: number; rule: Rule }> => {
  await check(db, input, caller);
  const { deviceChannelId: channelId, condition = AlarmCondition.limit, type = null, alarmValue: value = null } = input;
  if (channelId === undefined) throw notFound();
  const { alarmHysteresis: hysteresis = 0, onDelay = 0, offDelay = 0, times = 1, window = 0 } = input;
  const gate = gateToTry(input);
  const alarm = { alarmId: 0, condition, type, value, hysteresis, onDelay, offDelay, times, window, gate };
  return { channelId, rule: ruleBeside(channelId, alarm, { isFaultWatched: await isFaultWatched(db, channelId) }) };
};
