import { SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { integers } from "../../platform/database/array-parameters.ts";
import type { Runner } from "../../platform/database/runner.ts";
import type { ChangedAlert } from "../lifecycle.ts";
import { ruleKey } from "../rules/rule-key.ts";

/**
 * Whether a sub-device's master is silent, or nobody knows yet: not heard for half of the sub-device's offline time. Its sub-devices fall silent with it,
 * and some are judged before it is. `$1`: now. A master that was never heard cannot be lost.
 */
const isMasterSilent = `(m.last_seen_time IS NOT NULL
  AND (NOT m.is_online OR m.last_seen_time < to_timestamp($1::float8 / 1000) - d.offline_report * interval '30 seconds'))`;

const ofMasters = `kind = ${SilenceKind.silentMaster} AND ended_time IS NULL`;

const silence = {
  name: "silence-sub-devices",
  text: `
  INSERT INTO silences (plant_id, kind, rule_key, device_id, alarm_name, priority, reason, created_time, end_time)
  SELECT d.plant_id, ${SilenceKind.silentMaster}, k.rule_key, d.device_id, m.device_name, 2, '', to_timestamp($1::float8 / 1000), 'infinity'
    FROM unnest($2::int4[], $3::text[]) AS k(device_id, rule_key)
    JOIN devices d USING (device_id) JOIN devices m ON m.device_id = d.parent_device_id
   WHERE ${isMasterSilent}
  ON CONFLICT (rule_key) WHERE ended_time IS NULL AND kind = 4
  DO UPDATE SET end_time = excluded.end_time, created_time = excluded.created_time, device_id = excluded.device_id, alarm_name = excluded.alarm_name`,
};

/** Silences the offline alerts of those of these devices whose master is silent. Call after they are marked offline and before their alerts are raised. */
export const silenceSubDevices = async (run: Runner, deviceIds: readonly number[], now: number): Promise<void> => {
  if (deviceIds.length === 0) return;
  const keys = deviceIds.map((deviceId) => ruleKey.notification(deviceId, "offline"));
  await run.query({ ...silence, values: [now, integers(deviceIds), keys] });
};

// One offline time after its return the job of ends notifies of those that are still silent. A master that was removed counts as returned.
const returned = {
  name: "masters-returned",
  text: `
  UPDATE silences s SET end_time = to_timestamp($1::float8 / 1000) + d.offline_report * interval '1 minute'
    FROM devices d LEFT JOIN devices m ON m.device_id = d.parent_device_id
   WHERE ${ofMasters} AND s.end_time = 'infinity' AND d.device_id = s.device_id
     AND (m.device_id IS NULL OR (m.is_online AND m.last_seen_time > s.created_time))
  RETURNING s.plant_id AS "plantId", s.device_id AS "deviceId"`,
};

/** Longer than the time between two checks, so that an end is never missed. */
const soon = "interval '30 seconds'";

// A master that was lost again before that: it is waited for anew.
const lostAgain = {
  name: "masters-lost-again",
  text: `
  UPDATE silences s SET end_time = 'infinity', created_time = to_timestamp($1::float8 / 1000)
    FROM devices d JOIN devices m ON m.device_id = d.parent_device_id
   WHERE ${ofMasters} AND s.end_time < to_timestamp($1::float8 / 1000) + ${soon} AND d.device_id = s.device_id AND ${isMasterSilent}
  RETURNING s.plant_id AS "plantId", s.device_id AS "deviceId"`,
};

/**
 * Lets silences of sub-devices end whose masters have returned, and wait for those that are lost again. `now`: epoch milliseconds. Returns the sub-devices
 * whose alerts are silent until another time now.
 */
export const followMasters = async (run: Runner, now: number): Promise<ChangedAlert[]> => {
  const ended = await run.query<ChangedAlert>({ ...returned, values: [now] });
  const again = await run.query<ChangedAlert>({ ...lostAgain, values: [now] });
  return [...ended.rows, ...again.rows];
};
