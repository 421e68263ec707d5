import type { Input } from "@telltale/contract/call/call";
import { Message } from "@telltale/contract/call/codes";
import {
  longestSilence,
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
import { announce } from "../lifecycle.ts";
import { alertsInScope } from "../log/filter.ts";
import { alertToSilence, noteOnStanding } from "./queries.ts";

type Needs = Pick<World, "db" | "bus" | "clock">;

const minute = 60_000;

/** Rejects kinds that the caller's role may not use, and times that are too long for the kind. */
const check = (caller: Caller, kind: SilenceKind, priority: AlertPriority, minutes: number): void => {
  if (kind === SilenceKind.outOfService && !isAllowed("alerts.outOfService", caller))
    throw notAllowed("Only owners, admins and device managers take alerts out of service");
  const longest = longestSilence(kind, priority);
  if (minutes <= longest) return;
  const most = longest > 48 * 60 ? `${longest / 1440} days` : `${longest / 60} hours`;
  throw invalid(
    kind === SilenceKind.shelf
      ? `This alert can be shelved for ${most} at most`
      : `Out of service lasts ${most} at most`,
  );
};

const endAfter = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * minute);

/** Silences the rule of an alert in the account's scope; returns the silence's id. Refused while it is silenced already. */
export const addSilence = async (
  { db, bus, clock }: Needs,
  { alarmLogId, kind, minutes, reason }: Input<typeof silences.add>,
  caller: Caller,
): Promise<number> => {
  const { plantId, userId, accountId } = caller;
  const seen = alertsInScope(db, caller).where("alerts.alert_id", "=", alarmLogId).select("alerts.alert_id");
  if (!(await seen.executeTakeFirst())) throw notFound();
  const alert = await alertToSilence(db, alarmLogId);
  check(caller, kind, alert.priority, minutes);
  const silenceId = await db.transaction().execute(async (trx) => {
    const now = clock.date();
    // What has ended by itself may still wait for the job.
    await endOverdue(trx, alert.rule_key, now);
    const alarmName = alert.alarm_name || alert.channel_name || alert.msg || alert.device_name;
    const row = await trx
      .insertInto("silences")
      .values({
        ...{ plant_id: plantId, kind, rule_key: alert.rule_key, device_id: alert.device_id, priority: alert.priority },
        ...{ alarm_name: alarmName, reason, created_by: accountId, created_time: now },
        end_time: endAfter(now, minutes),
      })
      .onConflict((oc) => oc.column("rule_key").where("ended_time", "is", null).doNothing())
      .returning("silence_id")
      .executeTakeFirst();
    if (!row) throw conflict("This alert is silenced already");
    await noteOnStanding(trx, [alert.rule_key], { kind: "silenced", accountId, note: reason, now });
    const detail = { target: alarmName, silenceId: row.silence_id, kind: silenceKindLabels[kind], minutes, reason };
    await audit(trx, { plantId, userId, action: "silence.add", detail, now });
    return row.silence_id;
  });
  announce(bus, [{ plantId, deviceId: alert.device_id }]);
  return silenceId;
};

const endOverdue = async (db: Database, ruleKey: string, now: Date): Promise<void> => {
  await db
    .updateTable("silences")
    .set({ ended_time: sql<Date>`end_time` })
    .where("rule_key", "=", ruleKey)
    .where("ended_time", "is", null)
    .where("end_time", "<=", now)
    .execute();
};

/** A silence in the account's scope that holds, locked; 404 for any other id. */
const lockSilence = async (trx: Database, caller: Caller, silenceId: number, now: Date) => {
  const row = await trx
    .selectFrom("silences")
    .selectAll()
    .where("silence_id", "=", silenceId)
    .where("plant_id", "=", caller.plantId)
    .where("ended_time", "is", null)
    .where("end_time", ">", now)
    .forUpdate()
    .executeTakeFirst();
  if (!row || !(await isDeviceInScope(trx, caller, row.device_id))) throw notFound();
  return row;
};

/** Changes end and reason of a silence that holds. */
export const updateSilence = async (
  { db, bus, clock }: Needs,
  { silenceId, minutes, reason, version }: Input<typeof silences.update>,
  caller: Caller,
): Promise<void> => {
  const { plantId, userId } = caller;
  const deviceId = await db.transaction().execute(async (trx) => {
    const now = clock.date();
    const found = await lockSilence(trx, caller, silenceId, now);
    if (version !== undefined && version !== found.version) throw conflict(Message.changedMeanwhile);
    check(caller, found.kind, found.priority, minutes);
    const after = { end_time: endAfter(now, minutes), reason };
    await trx
      .updateTable("silences")
      .set({ ...after, version: found.version + 1 })
      .where("silence_id", "=", silenceId)
      .execute();
    const before = { end_time: found.end_time, reason: found.reason };
    const detail = { target: found.alarm_name, silenceId, before, after };
    await audit(trx, { plantId, userId, action: "silence.edit", detail, now });
    return found.device_id;
  });
  announce(bus, [{ plantId, deviceId }]);
};

/** Ends a silence by hand: whoever does that knows what stands, so nobody is notified of it. */
export const endSilence = async ({ db, bus, clock }: Needs, silenceId: number, caller: Caller): Promise<void> => {
  const { plantId, userId, accountId } = caller;
  const deviceId = await db.transaction().execute(async (trx) => {
    const now = clock.date();
    const found = await lockSilence(trx, caller, silenceId, now);
    check(caller, found.kind, found.priority, 0);
    await trx
      .updateTable("silences")
      .set({ ended_time: now, ended_by: accountId, version: found.version + 1 })
      .where("silence_id", "=", silenceId)
      .execute();
    await noteOnStanding(trx, [found.rule_key], { kind: "resumed", accountId, note: "", now });
    await audit(trx, { plantId, userId, action: "silence.end", detail: { target: found.alarm_name, silenceId }, now });
    return found.device_id;
  });
  announce(bus, [{ plantId, deviceId }]);
};
