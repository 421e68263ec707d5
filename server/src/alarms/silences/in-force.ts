import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";

/** Whose silences, and when. */
export interface SilencedAt {
  plantId: number;
  now: Date;
}

const inForce = (db: Database, { plantId, now }: SilencedAt) =>
  db
    .selectFrom("silences as s")
    .where("s.plant_id", "=", plantId)
    .where("s.ended_time", "is", null)
    .where("s.end_time", ">", now);

/** The plant's rules that are silent at `now`, each with the end of that. */
export const silencedRules = (db: Database, at: SilencedAt) =>
  inForce(db, at)
    .where("s.rule_key", "is not", null)
    .select("s.rule_key")
    .select(({ fn }) => fn.max<Date>("s.end_time").as("until"))
    .groupBy("s.rule_key");

/** The plant's devices in a maintenance window at `now`, each with the end of that. */
export const devicesInMaintenance = (db: Database, at: SilencedAt) =>
  inForce(db, at)
    .innerJoin("silence_devices as w", "w.silence_id", "s.silence_id")
    .where("s.start_time", "<=", at.now)
    .select("w.device_id")
    .select(({ fn }) => fn.max<Date>("s.end_time").as("until"))
    .groupBy("w.device_id");

/** Whether nobody is notified of a row of `alerts` at `now`. Both lists are read once, not per row. */
export const isSilenced = (db: Database, at: SilencedAt): RawBuilder<boolean> =>
  sql<boolean>`(alerts.rule_key in (select rule_key from ${silencedRules(db, at).as("silent_rules")})
             or alerts.device_id in (select device_id from ${devicesInMaintenance(db, at).as("silent_devices")}))`;
