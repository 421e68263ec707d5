import { Readable } from "node:stream";
import {
  type AlertReport,
  type alertReports,
  type FrequentRule,
  mostFloodsListed,
} from "@telltale/contract/domains/alerting/report";
import { AlertClass, alertTypeLabels } from "@telltale/contract/domains/alerts";
import { monthOf, monthOn, monthStretch, monthText, monthTitle } from "@telltale/contract/text/months";
import { type Zone, zoneOf } from "@telltale/contract/text/wall-clock";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createTurns } from "../../platform/turns.ts";
import type { World } from "../../world.ts";
import { withNames } from "../log/queries.ts";
import type { SilencedAt } from "../silences/in-force.ts";
import { countAttended, countMonth } from "./month.ts";
import type { RuleCount } from "./month-counts.rules.ts";
import { reportPdf } from "./report-pdf.ts";

type Needs = Pick<World, "db" | "clock">;

/** What the months of a plant depend on. */
interface Plant {
  name: string;
  zone: Zone;
  /** When it began: its creation, or its first alert if that is earlier; epoch milliseconds. */
  begin: number;
}

const plantOf = async (db: Database, plantId: number): Promise<Plant> => {
  const plant = await db
    .selectFrom("plants")
    .where("plant_id", "=", plantId)
    .select((eb) => [
      "name",
      "time_zone_id",
      "created_time",
      eb
        .selectFrom("alerts")
        .where("alerts.plant_id", "=", plantId)
        .orderBy("alerts.created_time")
        .limit(1)
        .select("alerts.created_time")
        .as("first_alert"),
    ])
    .executeTakeFirst();
  if (!plant) throw notFound();
  const begin = Math.min(plant.created_time.getTime(), plant.first_alert?.getTime() ?? Number.POSITIVE_INFINITY);
  return { name: plant.name, zone: zoneOf(plant.time_zone_id), begin };
};

/** The requested month, or the last one that has ended; of a plant in its first month that one. */
const chosenMonth = (wanted: string | undefined, first: number, last: number): number => {
  if (wanted === undefined) return Math.max(first, last - 1);
  const month = monthOf(wanted);
  if (month < first || month > last)
    throw invalid(`Choose a month from ${monthTitle(first)} to ${monthTitle(last)}: the plant has no others yet`);
  return month;
};

const namesOf = async (db: Database, at: SilencedAt, alertIds: readonly number[]) => {
  if (alertIds.length === 0) return new Map<number, never>();
  const few = db.selectFrom("alerts").where(sql<boolean>`alerts.alert_id = any(${alertIds}::bigint[])`);
  const rows = await withNames(db, few, at)
    .leftJoin("alarms", "alarms.alarm_id", "alerts.alarm_id")
    .select("alarms.alarm_id as rule_id")
    .execute();
  return new Map(rows.map((row) => [row.alert_id, row]));
};

type Named = Awaited<ReturnType<typeof namesOf>> extends Map<number, infer Row> ? Row : never;

/** What raised an alert: its rule, a channel's limit, or what the device reports. */
const sourceName = (alert: Named): string => {
  if (alert.alarm_class === AlertClass.custom && alert.alarm_name !== "") return alert.alarm_name;
  if (alert.channel_name === null || alert.alarm_class === AlertClass.notification)
    return alert.msg || alert.device_name;
  return `${alert.channel_name} ${alertTypeLabels[alert.alarm_type].toLowerCase()}`;
};

const frequentRule = (alert: Named, { total, chattering }: RuleCount): FrequentRule => ({
  name: sourceName(alert),
  alarmLogId: alert.alert_id,
  deviceId: alert.device_id,
  deviceName: alert.device_name,
  alarmClass: alert.alarm_class,
  alarmType: alert.alarm_type,
  alarmId: alert.alarm_class === AlertClass.custom ? alert.rule_id : null,
  total,
  chattering,
});

/** Stretches of a month and of the one before, from when the plant began until now. */
const stretchesOf = ({ zone, begin }: Plant, month: number, now: number) => {
  const stretch = (of: number) => {
    const { from, to } = monthStretch(zone, of);
    const start = Math.max(from, begin);
    return { from: start, to: Math.max(start, Math.min(to + 1, now)) };
  };
  return { counted: { ...stretch(month), zone, now }, before: stretch(month - 1) };
};

/** The report of a plant's month; refused for a month that the plant does not have. */
const readReport = async ({ db, clock }: Needs, plantId: number, wanted: string | undefined): Promise<AlertReport> => {
  const now = clock.now();
  const plant = await plantOf(db, plantId);
  const { zone, begin, name } = plant;
  const [first, last] = [monthOn(zone, begin), monthOn(zone, now)];
  const month = chosenMonth(wanted, first, last);
  const { counted, before } = stretchesOf(plant, month, now);
  const [{ frequent, floods, ...figures }, totalBefore] = await Promise.all([
    countMonth(db, plantId, counted),
    month > first ? countAttended(db, plantId, before) : null,
  ]);
  const listed = floods.slice(0, mostFloodsListed);
  const names = await namesOf(db, { plantId, now: new Date(now) }, [
    ...frequent.map(({ newest }) => newest),
    ...listed.map((flood) => flood.first),
  ]);
  return {
    ...figures,
    month: monthText(month),
    firstMonth: monthText(first),
    lastMonth: monthText(last),
    plantName: name,
    timeZone: zone.name,
    from: new Date(counted.from),
    to: new Date(counted.to),
    isRunning: month === last,
    totalBefore,
    frequent: frequent.flatMap((rule) => {
      const alert = names.get(rule.newest);
      return alert ? [frequentRule(alert, rule)] : [];
    }),
    floodTotal: floods.length,
    floods: listed.map(({ from, to, total, first: alertId }) => {
      const alert = names.get(alertId);
      const first = { alarmLogId: alertId, name: alert ? sourceName(alert) : "" };
      return { from: new Date(from), to: new Date(to), total, first };
    }),
  };
};

/** Reads the report of a plant's month. Requests for the same one at the same time share its calculation. */
export type ReadReport = (plantId: number, month?: string) => Promise<AlertReport>;

/** Calculations of all plants at a time: each takes two connections of the database and much of a processor. */
const inTurn = createTurns(2);

/** Reports, one at a time a plant: the others wait. */
export const createReports = (needs: Needs, calculate = readReport): ReadReport => {
  const underWay = new Map<string, Promise<AlertReport>>();
  return (plantId, month) => {
    const key = `${plantId} ${month}`;
    const report =
      underWay.get(key) ?? inTurn(plantId, () => calculate(needs, plantId, month)).finally(() => underWay.delete(key));
    underWay.set(key, report);
    return report;
  };
};

export const alertReportRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof alertReports> => {
  const read = createReports(world);
  return {
    read: ({ month }, { plantId }) => read(plantId, month),
    pdf: async ({ month }, { plantId }) => {
      const report = await read(plantId, month);
      return { name: `alert-report-${report.month}.pdf`, content: Readable.from([await reportPdf(plantId, report)]) };
    },
  };
};
