import { sql } from "kysely";
import type { Database } from "../world.ts";
import { type Detail, type Names, numbersIn } from "./rules.ts";

/** Names of all that these entries speak of by number, as far as it is the plant's and still there. */
export const namesOf = async (db: Database, plantId: number, details: readonly Detail[]): Promise<Names> => {
  const ids = numbersIn(details);
  const { rows } = await sql<{ kind: string; id: number; name: string }>`
    select 'accountId' as kind, a.account_id as id, u.email as name
      from accounts a join users u using (user_id)
     where a.plant_id = ${plantId} and a.account_id = any(${ids.accountId}::int[])
    union all
    select 'dashboardId', dashboard_id, name from dashboards
     where plant_id = ${plantId} and dashboard_id = any(${ids.dashboardId}::int[])
    union all
    select 'deviceId', device_id, device_name from devices
     where plant_id = ${plantId} and device_id = any(${ids.deviceId}::int[])
    union all
    select 'alarmId', alarm_id, alarm_name from alarms
     where plant_id = ${plantId} and alarm_id = any(${ids.alarmId}::int[])`.execute(db);
  const ofKind = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, name] as const));
  return Object.fromEntries(Object.keys(ids).map((kind) => [kind, ofKind(kind)]));
};
