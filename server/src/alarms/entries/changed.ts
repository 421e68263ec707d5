import type { StandingRow } from "@telltale/contract/domains/alerting/entries";
import { AlertStatus, type ConfirmedAlert, isWaiting } from "@telltale/contract/domains/alerts";
import { Role } from "@telltale/contract/permissions";
import { sql } from "kysely";
import type { World } from "../../world.ts";
import { type Alerts, alertsInScope } from "../log/filter.ts";
import { firstOutsAround, type Relatives } from "../log/first-out.ts";
import { alertRow, confirmedRows, type NamedAlert, withNames } from "../log/queries.ts";
import type { SilencedAt } from "../silences/in-force.ts";
import { withNow } from "./standing.ts";

/** What lists show of alerts of devices. */
interface ChangedAlerts {
  /** All that stand, those asked for, and those raised of late. */
  rows: StandingRow[];
  /** Those of them that wait for a person. */
  unconfirmed: StandingRow[];
  /** Who has confirmed what stands. */
  confirmed: ConfirmedAlert[];
  /** The alerts of their families around these, by device. */
  relatives: ReadonlyMap<number, Relatives>;
  /** Whether no alert was left out because there were too many. */
  isWhole: boolean;
}

interface Asked {
  deviceIds: readonly number[];
  /** Alerts that stood when these devices were last looked at. */
  alertIds: readonly number[];
  limit: number;
}

/** How many of the server's newest alerts, and of how many milliseconds, are looked through for those that have ended already. */
const late = { alerts: 500, within: 60_000 } as const;

/**
 * Narrows to what may have changed of the devices. What was raised and has ended since the last look is found among the newest entries, wherever its times
 * place it in the log: a device may report late.
 */
const maybeChanged =
  ({ deviceIds, alertIds }: Asked, { plantId, now }: SilencedAt) =>
  (query: Alerts): Alerts =>
    query.where(
      sql<boolean>`alerts.alert_id in (
        select alert_id from alerts where plant_id = ${plantId} and cleared_time is null and device_id = any(${[...deviceIds]}::int[])
        union select unnest(${[...alertIds]}::bigint[])
        union select alert_id from (
                 select alert_id, device_id, received_time from alerts order by alert_id desc limit ${late.alerts}) as newest
               where device_id = any(${[...deviceIds]}::int[]) and received_time > ${new Date(now.getTime() - late.within)})`,
    );

const isConfirmedStanding = (row: NamedAlert): boolean =>
  row.cleared_time === null && row.status === AlertStatus.confirmed;

/** What lists show of the alerts of these devices of the plant that stand or have changed of late, for those who see all of the plant. */
export const changedAlerts = async (
  world: Pick<World, "db" | "pool" | "clock">,
  plantId: number,
  asked: Asked,
): Promise<ChangedAlerts> => {
  const { db, clock } = world;
  const [scope, at] = [
    { plantId, roleType: Role.owner, dashboardId: null },
    { plantId, now: clock.date() },
  ];
  const some = alertsInScope(db, scope).$call(maybeChanged(asked, at)).limit(asked.limit);
  const found = await withNames(db, some, at).execute();
  const places = firstOutsAround(db, scope, found);
  const placed = places.then(({ placeOf }) => found.map((row) => ({ ...alertRow(row), ...placeOf(row) })));
  const [rows, { relatives }] = await Promise.all([withNow(world, scope, found, placed), places]);
  return {
    rows,
    unconfirmed: rows.filter(isWaiting),
    confirmed: confirmedRows(found.filter(isConfirmedStanding)),
    relatives: new Map(
      found.flatMap(({ device_id, family }) => {
        const ofFamily = relatives.get(family);
        return ofFamily ? [[device_id, ofFamily]] : [];
      }),
    ),
    isWhole: found.length < asked.limit,
  };
};
