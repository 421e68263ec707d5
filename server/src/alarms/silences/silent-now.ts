import { notifiesNobody, type Plan } from "@telltale/contract/domains/alerting/escalation";
import { type Silence, SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { mostListed, type SilentCounts, type SilentNow } from "@telltale/contract/domains/alerting/silent-now";
import { isAllowed } from "@telltale/contract/permissions";
import { devicesInScope, isLimited, type Scope } from "../../access/index.ts";
import { failingBridges } from "../../bridges/index.ts";
import { failedDeliveries } from "../../notify/index.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { plansOf } from "../escalation/plans.ts";
import { rosterGapsOf } from "../escalation/rosters.ts";
import { type RuleOfNobody, rulesThatNotifyNobody } from "./notify-nobody.ts";
import { listedSilences } from "./queries.ts";

const device = (row: { device_id: number; device_name: string; device_sn_id: string }) => ({
  deviceId: row.device_id,
  deviceName: row.device_name,
  deviceSnId: row.device_sn_id,
});

/** Masters whose sub-devices' offline alerts stand and are suppressed, in the account's scope. */
const silentMasters = async (db: Database, scope: Scope): Promise<SilentNow["masters"]> => {
  const rows = await devicesInScope(db, scope)
    .innerJoin("devices as sub", "sub.parent_device_id", "devices.device_id")
    .innerJoin("silences as s", "s.device_id", "sub.device_id")
    .innerJoin("alerts as a", "a.rule_key", "s.rule_key")
    .where("s.kind", "=", SilenceKind.silentMaster)
    .where("s.ended_time", "is", null)
    .where("a.cleared_time", "is", null)
    .groupBy("devices.device_id")
    .orderBy("devices.device_name")
    .select(["devices.device_id", "devices.device_name", "devices.device_sn_id", "devices.last_seen_time"])
    .select(({ fn }) => fn.countAll<number>().as("sub_devices"))
    .execute();
  return rows.map((row) => ({ ...device(row), lastSeenTime: row.last_seen_time, subDevices: row.sub_devices }));
};

/** Devices whose service has ended; sub-devices are those of their master, but for viewers, who may not see it. */
const unpaidDevices = async (db: Database, scope: Scope, now: Date): Promise<SilentNow["paymentDue"]> => {
  const rows = await devicesInScope(db, scope)
    .where("devices.expire_time", "<=", now)
    .where("devices.is_disabled", "=", false)
    .where("devices.last_seen_time", "is not", null)
    .$if(!isLimited(scope), (q) => q.where("devices.parent_device_id", "is", null))
    .orderBy("devices.expire_time")
    .orderBy("devices.device_id")
    .select(["devices.device_id", "devices.device_name", "devices.device_sn_id", "devices.expire_time"])
    .execute();
  return rows.flatMap((row) => (row.expire_time ? { ...device(row), expireTime: row.expire_time } : []));
};

const disabledDevices = async (db: Database, scope: Scope): Promise<SilentNow["devicesOff"]> => {
  const rows = await devicesInScope(db, scope)
    .where("devices.is_disabled", "=", true)
    .orderBy("devices.device_name")
    .orderBy("devices.device_id")
    .select(["devices.device_id", "devices.device_name", "devices.device_sn_id"])
    .execute();
  return rows.map(device);
};

/** Rules that are switched off, and those whose channel is. */
const rulesSwitchedOff = (db: Database, scope: Scope) =>
  db
    .selectFrom("alarms as a")
    .innerJoin("devices as d", "d.device_id", "a.device_id")
    .leftJoin("channels as c", "c.channel_id", "a.channel_id")
    .where("a.plant_id", "=", scope.plantId)
    .where(({ eb, or }) => or([eb("a.is_enabled", "=", false), eb("c.channel_switch", "=", false)]))
    .where("a.device_id", "in", devicesInScope(db, scope).select("devices.device_id"))
    .orderBy("a.priority")
    .orderBy("a.alarm_name")
    .orderBy("a.alarm_id")
    .select(["a.alarm_id", "a.alarm_name", "a.priority", "a.is_enabled", "a.alarm_class"])
    .select(["d.device_id", "d.device_name", "d.device_sn_id"])
    .execute();

/** Whether alerts follow a plan. */
const isFollowed = ({ isDefault, rules }: Plan): boolean => isDefault || rules > 0;

const countsOf = (all: Omit<SilentNow, "counts">, now: Date): SilentCounts => {
  const begun = (kind: Silence["kind"]) => all.silences.filter((s) => s.kind === kind && s.startTime <= now).length;
  const counts = {
    shelved: begun(SilenceKind.shelf),
    outOfService: begun(SilenceKind.outOfService),
    maintenance: begun(SilenceKind.maintenance),
    silentMasters: all.masters.length,
    paymentDue: all.paymentDue.length,
    devicesOff: all.devicesOff.length,
    rulesOff: all.rulesOff.length,
    failedDeliveries: all.failed.length + all.bridges.length,
    notifyNobody: all.nobody.length + Math.min(all.devicesOfNobody.total, 1),
    escalationGaps: all.rosterGaps.length + all.plansOfNobody.length,
  };
  return { ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) };
};

const everything = async (db: Database, caller: Caller, now: Date): Promise<SilentNow> => {
  const plans = await plansOf(db, caller.plantId, now);
  const reachNobody = plans.filter(notifiesNobody);
  const [silences, masters, paymentDue, devicesOff, off, failed, bridges, nobody, rosterGaps] = await Promise.all([
    listedSilences(db, caller, now),
    silentMasters(db, caller),
    unpaidDevices(db, caller, now),
    disabledDevices(db, caller),
    rulesSwitchedOff(db, caller),
    // Addresses are not for viewers.
    isLimited(caller) ? [] : failedDeliveries(db, caller.plantId),
    isLimited(caller) ? [] : failingBridges(db, caller.plantId, now),
    rulesThatNotifyNobody(db, caller, reachNobody),
    isLimited(caller) ? [] : rosterGapsOf(db, caller.plantId, plans.filter(isFollowed), now),
  ]);
  const mayOpen = isAllowed("alarms.read", caller);
  const ruleRow = (row: RuleOfNobody) => ({
    ...device(row),
    alarmId: mayOpen ? row.alarm_id : null,
    alarmName: row.alarm_name,
    priority: row.priority,
  });
  const all = {
    ...{ silences, masters, paymentDue, devicesOff, failed, bridges, rosterGaps },
    rulesOff: off.map((row) => ({ ...ruleRow(row), alarmClass: row.alarm_class, isChannelOff: row.is_enabled })),
    nobody: nobody.rules.map(ruleRow),
    devicesOfNobody: { total: nobody.devices.length, names: nobody.devices.slice(0, 3) },
    plansOfNobody: isLimited(caller)
      ? []
      : reachNobody.filter(isFollowed).map(({ planId, planName, isDefault }) => ({ planId, planName, isDefault })),
  };
  return { ...all, counts: countsOf(all, now) };
};

/** Everything of which nobody is notified, in the account's scope; of long lists the first rows, the counts count all. */
export const whatIsSilent = async (db: Database, caller: Caller, now: Date): Promise<SilentNow> => {
  const all = await everything(db, caller, now);
  const few = <T>(rows: T[]): T[] => rows.slice(0, mostListed);
  const kinds = Map.groupBy(all.silences, ({ kind }) => kind);
  const isListed = (silence: Silence): boolean =>
    silence.kind === SilenceKind.maintenance || (kinds.get(silence.kind) ?? []).indexOf(silence) < mostListed;
  return {
    ...all,
    silences: all.silences.filter(isListed),
    masters: few(all.masters),
    paymentDue: few(all.paymentDue),
    devicesOff: few(all.devicesOff),
    rulesOff: few(all.rulesOff),
    failed: few(all.failed),
    bridges: few(all.bridges),
    nobody: few(all.nobody),
    plansOfNobody: few(all.plansOfNobody),
  };
};

/** How many of each are silent, in the account's scope. */
export const silentCounts = async (db: Database, caller: Caller, now: Date): Promise<SilentCounts> =>
  (await everything(db, caller, now)).counts;
