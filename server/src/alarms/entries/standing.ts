import type { Input } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import type { alertEntries, StandingRow } from "@telltale/contract/domains/alerting/entries";
import type { LoggedAlert } from "@telltale/contract/domains/alerts";
import { sql } from "kysely";
import { listedLike, type Scope } from "../../access/index.ts";
import { offsetOf, pageOf, when } from "../../platform/database/paging.ts";
import { newestReadings } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import { type Alerts, alertsInScope, byPriority } from "../log/filter.ts";
import { loggedAlerts, type NamedAlert, waitingOnly, withNames } from "../log/queries.ts";
import { isSilenced } from "../silences/in-force.ts";
import { silencesOf } from "../silences/queries.ts";

/** Alerts with their places in their families, which may be known, the newest values of their channels, and what silences them. */
export const withNow = async (
  { db, pool, clock }: Pick<World, "db" | "pool" | "clock">,
  scope: Scope,
  alerts: readonly NamedAlert[],
  placed: Promise<LoggedAlert[]> = loggedAlerts(db, scope, alerts),
): Promise<StandingRow[]> => {
  const channelIds = [...new Set(alerts.flatMap(({ channel_id }) => channel_id ?? []))];
  const silent = alerts.flatMap((alert) => (alert.is_silent ? alert.alert_id : []));
  const [logged, newest, silences] = await Promise.all([
    placed,
    channelIds.length > 0 ? newestReadings(pool, channelIds) : undefined,
    silencesOf(db, silent, clock.date()),
  ]);
  return logged.map((alert) => ({
    ...alert,
    now: newest?.get(alert.deviceChannelId ?? -1)?.value ?? null,
    silence: silences.get(alert.alarmLogId) ?? null,
  }));
};

const oneOf = (query: Alerts, column: "status" | "priority", values?: readonly number[]): Alerts =>
  values?.length ? query.where(sql<boolean>`${sql.ref(`alerts.${column}`)} = any(${values}::int[])`) : query;

/** A page of the alerts whose condition has not ended, by priority, then newest first; silenced ones last. */
export const standingAlerts = async (
  { db, pool, clock }: Pick<World, "db" | "pool" | "clock">,
  scope: Scope,
  filter: Input<typeof alertEntries.standing>,
): Promise<Page<StandingRow>> => {
  const at = { plantId: scope.plantId, now: clock.date() };
  let query = alertsInScope(db, scope).where("alerts.cleared_time", "is", null);
  query = oneOf(query, "status", filter.status);
  query = oneOf(query, "priority", filter.priority)
    .$call(when(filter.unconfirmed, waitingOnly(db, at)))
    .$call(
      when(filter.deviceName, (q, name) =>
        q.where("alerts.device_id", "in", (eb) =>
          eb
            .selectFrom("listed_devices")
            .where("listed_devices.plant_id", "=", scope.plantId)
            .where(listedLike("device_name", name))
            .select("listed_devices.device_id"),
        ),
      ),
    );
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const few = byPriority(query.orderBy(isSilenced(db, at)))
    .limit(filter.size)
    .offset(offsetOf(filter));
  const rows = await withNames(db, few, at).orderBy("is_silent").$call(byPriority).execute();
  return pageOf(await withNow({ db, pool, clock }, scope, rows), total, filter);
};
