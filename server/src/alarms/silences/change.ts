import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import { occurrences } from "@telltale/contract/domains/alerting/maintenance";
import {
  longestSilence,
  type RuleSilenceKind,
  SilenceKind,
  silenceKindLabels,
  type silences,
} from "@telltale/contract/domains/alerting/silences";
import type { AlertPriority } from "@telltale/contract/domains/alerts";
import { isAllowed } from "@telltale/contract/permissions";
import { sql } from "kysely";
import { isDeviceInScope } from "../../access/index.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notAllowed, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { World } from "../../world.ts";
import { resumeEscalations } from "../escalation/progress.ts";
import { announce } from "../lifecycle.ts";
import { alertsInScope } from "../log/filter.ts";
import { alertToSilence, isOfFormerRule, noteOnStanding, priorityOfSilenced } from "./queries.ts";
import { addWindow, changedDevices, changeWindow, checkDevices, windowDevices } from "./windows.ts";

type Needs = Pick<World, "db" | "bus" | "clock">;

const minute = 60_000;

/** Rejects kinds that the caller's role may not use. */
const checkRole = (caller: Caller, kind: SilenceKind): void => {
  if (kind === SilenceKind.shelf || isAllowed("alerts.outOfService", caller)) return;
  throw notAllowed(
    kind === SilenceKind.maintenance
      ? "Only owners, admins and device managers plan maintenance"
      : "Only owners, admins and device managers take alerts out of service",
  );
};

/** The end of a silence that lasts so long from now; rejects times that are missing, or too long for the kind. */
const endAfter = (now: Date, kind: RuleSilenceKind, priority: AlertPriority, minutes?: number): Date => {
  if (minutes === undefined) throw invalid("Choose a time of 15 minutes to 90 days");
  const longest = longestSilence(kind, priority);
  if (minutes <= longest) return new Date(now.getTime() + minutes * minute);
  const most = longest > 48 * 60 ? `${longest / 1440} days` : `${longest / 60} hours`;
  throw invalid(
    kind === SilenceKind.shelf
      ? `This alert can be shelved for ${most} at most`
      : `Out of service lasts ${most} at most`,
  );
};

/** A silence as it is recorded in the audit log. */
const recorded = (silence: Pick<Locked, "kind" | "reason" | "start_time" | "end_time" | "plan">) => ({
  kind: silenceKindLabels[silence.kind],
  reason: silence.reason,
  startTime: silence.start_time,
  endTime: silence.end_time,
  plan: silence.plan,
});

type Added = Input<typeof silences.add>;

interface RuleSilence {
  alert: Awaited<ReturnType<typeof alertToSilence>>;
  kind: RuleSilenceKind;
  minutes: number | undefined;
  reason: string;
}

/** Silences the rule of an alert. */
const addRuleSilence = async (trx: Database, silence: RuleSilence, caller: Caller, now: Date): Promise<number> => {
  const { plantId, userId, accountId } = caller;
  const { alert, kind, minutes, reason } = silence;
  const end_time = endAfter(now, kind, alert.priority, minutes);
  // What has ended by itself may still wait for the job.
  await endOverdue(trx, alert.rule_key, now);
  const alarmName = alert.alarm_name || alert.channel_name || alert.msg || alert.device_name;
  const row = await trx
    .insertInto("silences")
    .values({
      ...{ plant_id: plantId, kind, rule_key: alert.rule_key, device_id: alert.device_id, priority: alert.priority },
      ...{ alarm_name: alarmName, reason, created_by: accountId, created_time: now, end_time },
    })
    .onConflict((oc) => oc.column("rule_key").where(sql<boolean>`ended_time is null and kind <> 4`).doNothing())
    .returning("silence_id")
    .executeTakeFirst();
  if (!row) throw conflict("This alert is silenced already");
  const ofRule = { ruleKeys: [alert.rule_key], deviceIds: [] };
  await noteOnStanding(trx, ofRule, { kind: "silenced", accountId, note: reason, now });
  const after = recorded({ kind, reason, start_time: null, end_time, plan: null });
  const detail = { target: alarmName, silenceId: row.silence_id, after };
  await audit(trx, { plantId, userId, action: "silence.add", detail, now });
  return row.silence_id;
};

/** Silences the rule of an alert in the account's scope, or devices while they are maintained; returns the silence's id. */
export const addSilence = async ({ db, bus, clock }: Needs, input: Added, caller: Caller): Promise<number> => {
  const { kind, alarmLogId, deviceIds = [], minutes, reason } = input;
  const seen = alertsInScope(db, caller)
    .where("alerts.alert_id", "=", alarmLogId ?? 0)
    .select("alerts.alert_id");
  if (alarmLogId !== undefined && !(await seen.executeTakeFirst())) throw notFound();
  await checkDevices(db, caller, deviceIds);
  checkRole(caller, kind);
  if (kind === SilenceKind.maintenance) {
    const now = clock.date();
    const silenceId = await db.transaction().execute((trx) => addWindow(trx, input, caller, now));
    announce(bus, changedDevices(caller.plantId, deviceIds));
    return silenceId;
  }
  const alert = await alertToSilence(db, alarmLogId ?? 0);
  if (isOfFormerRule(alert))
    throw conflict("The rule of this alert was deleted, or watches something else now. Choose a later alert of it");
  const silence = { alert, kind, minutes, reason };
  const silenceId = await db.transaction().execute((trx) => addRuleSilence(trx, silence, caller, clock.date()));
  announce(bus, changedDevices(caller.plantId, [alert.device_id]));
  return silenceId;
};

const endOverdue = async (db: Database, ruleKey: string, now: Date): Promise<void> => {
  await db
    .updateTable("silences")
    .set({ ended_time: sql<Date>`end_time` })
    .where("rule_key", "=", ruleKey)
    .where("kind", "<>", SilenceKind.silentMaster)
    .where("ended_time", "is", null)
    .where("end_time", "<=", now)
    .execute();
};

interface Wanted {
  silenceId: number;
  /** The version that the caller has seen. */
  version?: number | undefined;
}

/** A person's silence in the account's scope that holds or is to come, locked; 404 for any other id. */
const lockSilence = async (trx: Database, caller: Caller, { silenceId, version }: Wanted, now: Date) => {
  const row = await trx
    .selectFrom("silences")
    .selectAll()
    .where("silence_id", "=", silenceId)
    .where("plant_id", "=", caller.plantId)
    .where("kind", "<>", SilenceKind.silentMaster)
    .where("ended_time", "is", null)
    .where("end_time", ">", now)
    .forUpdate()
    .executeTakeFirst();
  if (!row || (row.device_id !== null && !(await isDeviceInScope(trx, caller, row.device_id)))) throw notFound();
  checkRole(caller, row.kind);
  if (version !== undefined && version !== row.version) throw conflict(Message.changedMeanwhile);
  return row;
};

type Locked = Awaited<ReturnType<typeof lockSilence>>;

/** Changes end and reason of a locked silence of a rule. */
const changeRuleSilence = async (
  trx: Database,
  found: Locked,
  { minutes, reason }: Input<typeof silences.update>,
  { caller, now }: { caller: Caller; now: Date },
): Promise<number[]> => {
  const { plantId, userId } = caller;
  const { silence_id: silenceId } = found;
  const kind = found.kind === SilenceKind.outOfService ? found.kind : SilenceKind.shelf;
  const change = { end_time: endAfter(now, kind, await priorityOfSilenced(trx, found), minutes), reason };
  await trx
    .updateTable("silences")
    .set({ ...change, version: found.version + 1 })
    .where("silence_id", "=", silenceId)
    .execute();
  const [before, after] = [recorded(found), recorded({ ...found, ...change })];
  const detail = { target: found.alarm_name, silenceId, before, after };
  await audit(trx, { plantId, userId, action: "silence.edit", detail, now });
  return found.device_id === null ? [] : [found.device_id];
};

/** Changes end and reason of a silence that holds, or all of a maintenance window. */
export const updateSilence = async (
  { db, bus, clock }: Needs,
  input: Input<typeof silences.update>,
  caller: Caller,
): Promise<void> => {
  await checkDevices(db, caller, input.deviceIds ?? []);
  const deviceIds = await db.transaction().execute(async (trx) => {
    const now = clock.date();
    const found = await lockSilence(trx, caller, input, now);
    const change = found.kind === SilenceKind.maintenance ? changeWindow : changeRuleSilence;
    return change(trx, found, input, { caller, now });
  });
  announce(bus, changedDevices(caller.plantId, deviceIds));
};

/** What changes of a locked silence by its end by hand: it is over, or of a window that repeats, when it occurs next. */
const endedBy = (found: Locked, isOccurrence: boolean, now: Date, accountId: number) => {
  const { plan } = found;
  const begun = found.start_time ?? now;
  // The one that was to be ended may have ended by itself a moment before, and the next one must not go for it.
  if (isOccurrence && plan && begun > now)
    throw conflict("This time of the window is over, or has not begun. Nothing was changed");
  const [next] = isOccurrence && plan ? occurrences(plan, now.getTime(), 1, begun.getTime()) : [];
  return next ? { start_time: next.start, end_time: next.end } : { ended_time: now, ended_by: accountId };
};

/** Ends a silence by hand: whoever does that knows what stands, so nobody is notified of it. */
export const endSilence = async (
  { db, bus, clock }: Needs,
  input: Input<typeof silences.end>,
  caller: Caller,
): Promise<void> => {
  const { plantId, userId, accountId } = caller;
  const changed = await db.transaction().execute(async (trx) => {
    const now = clock.date();
    const found = await lockSilence(trx, caller, input, now);
    const { silence_id: silenceId, rule_key, device_id, start_time, alarm_name: target } = found;
    const isOccurrence = input.occurrence === 1;
    const change = endedBy(found, isOccurrence, now, accountId);
    await trx
      .updateTable("silences")
      .set({ ...change, version: found.version + 1 })
      .where("silence_id", "=", silenceId)
      .execute();
    const deviceIds = await windowDevices(trx, silenceId);
    const silenced = { ruleKeys: rule_key === null ? [] : [rule_key], deviceIds };
    if (start_time === null || start_time <= now) {
      await noteOnStanding(trx, silenced, { kind: "resumed", accountId, note: "", now });
      await resumeEscalations(trx, silenced, now);
    }
    const action = found.kind === SilenceKind.maintenance ? "maintenance.end" : "silence.end";
    const after = change.ended_time ? {} : { only: "the occurrence of now", after: recorded({ ...found, ...change }) };
    const detail = { target, silenceId, before: recorded(found), ...after };
    await audit(trx, { plantId, userId, action, detail, now });
    return device_id === null ? deviceIds : [device_id];
  });
  announce(bus, changedDevices(plantId, changed));
};
