import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/alerts";
import type { PoolClient } from "pg";
import { ruleKey } from "../alarms/rule-key.ts";
import { bigints, doubles, integers, smallints } from "../database/array-parameters.ts";
import { telling } from "../notify/telling.ts";
import { type JudgedBatch, type RaisedAlert, wronglyAhead } from "./judge.ts";
import type { KnownDevice } from "./known-device.ts";
import type { Arrival } from "./submission.ts";

const insertReadings = {
  name: "insert-readings",
  text: `INSERT INTO readings (channel_id, ts, value, status)
         SELECT * FROM unnest($1::int4[], $2::int8[], $3::float8[], $4::int2[]) ON CONFLICT DO NOTHING`,
};

const upsertLatest = {
  name: "upsert-latest",
  text: `INSERT INTO latest (channel_id, ts, value, status, received_ts)
         SELECT *, $5::int8 FROM unnest($1::int4[], $2::int8[], $3::float8[], $4::int2[])
         ON CONFLICT (channel_id) DO UPDATE SET ts = excluded.ts, value = excluded.value, status = excluded.status,
           received_ts = CASE WHEN excluded.ts <> latest.ts THEN excluded.received_ts ELSE latest.received_ts END
         WHERE excluded.ts >= latest.ts OR latest.ts > excluded.received_ts + ${wronglyAhead}`,
};

// A device whose clock was set back may end an alert before the time at which it had raised it.
const clearAlerts = `
  UPDATE alerts a SET status = ${AlertStatus.cleared}, cleared_time = greatest(a.created_time, to_timestamp(c.ts / 1000.0))
    FROM unnest($1::text[], $2::int8[]) AS c(key, ts) WHERE a.rule_key = c.key AND a.cleared_time IS NULL`;

// Neither a second open one of a rule, nor the same occurrence again after a commit that came late.
const insertAlerts = `
  INSERT INTO alerts (plant_id, device_id, channel_id, alarm_id, alarm_class, alarm_type, status, value, value_unit, threshold,
                      report_interval, msg, created_time, cleared_time, rule_key)
  SELECT plant_id, device_id, channel_id, alarm_id, alarm_class, alarm_type, status, value, value_unit, threshold,
         report_interval, msg, to_timestamp(ts / 1000.0), to_timestamp(cleared_ts / 1000.0), rule_key
    FROM jsonb_to_recordset($1::jsonb) AS r(plant_id int, device_id int, channel_id int, alarm_id int, alarm_class int2, alarm_type int2,
         status int2, value float8, value_unit text, threshold float8, report_interval int, msg text, ts float8, cleared_ts float8, rule_key text)
  ON CONFLICT DO NOTHING`;
const arrival = "to_timestamp($2::float8 / 1000)";
const raiseAlerts = { name: "raise-alerts", text: telling(insertAlerts, arrival) };

const alertRecord = ({ rule, channel, judgedBy, value, ts, clearedTs }: RaisedAlert) => ({
  plant_id: channel.device.plantId,
  device_id: channel.device.deviceId,
  channel_id: channel.channelId,
  alarm_id: rule.alarmId,
  alarm_class: rule.alarmClass,
  alarm_type: rule.alarmType,
  status: clearedTs === null ? AlertStatus.triggered : AlertStatus.cleared,
  value,
  value_unit: judgedBy.unit,
  threshold: rule.setpoint,
  report_interval: judgedBy.reportInterval,
  msg: "",
  ts,
  cleared_ts: clearedTs,
  rule_key: rule.key,
});

const keepArrivals = `
  INSERT INTO arrivals (device_id, packet_id, digest, ts) SELECT * FROM unnest($1::int4[], $2::int4[], $3::int8[], $4::int8[])
  ON CONFLICT (device_id, packet_id) DO UPDATE SET digest = excluded.digest, ts = excluded.ts`;

const storeArrivals = async (client: PoolClient, arrivals: readonly Arrival[]): Promise<void> => {
  // A message repeated within one batch would touch its row twice, which the statement refuses; the last one wins.
  const rows = [...new Map(arrivals.map((arrival) => [`${arrival.deviceId}:${arrival.slot}`, arrival])).values()];
  await client.query(keepArrivals, [
    integers(rows.map((row) => row.deviceId)),
    integers(rows.map((row) => row.slot)),
    bigints(rows.map((row) => row.digest)),
    bigints(rows.map((row) => row.ts)),
  ]);
};

const markOnline = `
  UPDATE devices d SET is_online = true, first_seen_time = coalesce(d.first_seen_time, to_timestamp($2::float8 / 1000)),
         last_seen_time = to_timestamp($2::float8 / 1000)
    FROM devices before WHERE d.device_id = ANY($1::int4[]) AND before.device_id = d.device_id AND NOT d.is_online
  RETURNING d.device_id, d.plant_id, before.first_seen_time IS NULL AS is_first`;

const insertOnline = `
  INSERT INTO alerts (plant_id, device_id, alarm_class, alarm_type, status, msg, created_time, cleared_time, rule_key)
  SELECT d.plant_id, d.device_id, ${AlertClass.notification}, ${AlertType.system}, ${AlertStatus.cleared},
         CASE WHEN $3 THEN 'Online for the first time' ELSE 'Online again' END, to_timestamp($2::float8 / 1000), to_timestamp($2::float8 / 1000),
         '${AlertClass.notification}:' || d.device_id || ':online'
    FROM devices d WHERE d.device_id = ANY($1::int4[]) AND d.plant_id IS NOT NULL`;
const noteOnline = telling(insertOnline, arrival);

/** Marks devices online that were not; ends their offline alert and writes the notification. */
const storeOnline = async (client: PoolClient, devices: readonly KnownDevice[], now: number): Promise<void> => {
  const { rows } = await client.query<{ device_id: number; is_first: boolean }>(markOnline, [
    devices.map((device) => device.deviceId),
    now,
  ]);
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.device_id);
  await client.query(clearAlerts, [ids.map((id) => ruleKey.notification(id, "offline")), ids.map(() => now)]);
  for (const isFirst of [true, false]) {
    const some = rows.filter((row) => row.is_first === isFirst).map((row) => row.device_id);
    if (some.length > 0) await client.query(noteOnline, [some, now, isFirst]);
  }
};

/** Writes a judged batch inside the transaction of `client`. Repeating it changes nothing. */
export const storeBatch = async (
  client: PoolClient,
  batch: JudgedBatch,
  arrivals: readonly Arrival[],
  now: number,
): Promise<void> => {
  if (batch.channelIds.length > 0)
    await client.query({
      ...insertReadings,
      values: [integers(batch.channelIds), bigints(batch.times), doubles(batch.values), smallints(batch.statuses)],
    });
  if (batch.newest.length > 0) {
    // One order for all writers, so that two of them never wait for each other.
    const newest = batch.newest
      .toSorted((a, b) => a.channelId - b.channelId)
      .map((channel) => ({ id: channel.channelId, ...(channel.draft ?? channel.state) }));
    await client.query({
      ...upsertLatest,
      values: [
        integers(newest.map((row) => row.id)),
        bigints(newest.map((row) => row.ts)),
        doubles(newest.map((row) => row.value)),
        smallints(newest.map((row) => row.status)),
        now,
      ],
    });
  }
  if (batch.cleared.length > 0)
    await client.query(clearAlerts, [batch.cleared.map((alert) => alert.key), batch.cleared.map((alert) => alert.ts)]);
  if (batch.raised.length > 0)
    await client.query({ ...raiseAlerts, values: [JSON.stringify(batch.raised.map(alertRecord)), now] });
  if (arrivals.length > 0) await storeArrivals(client, arrivals);
  if (batch.cameOnline.size > 0) await storeOnline(client, [...batch.cameOnline], now);
};
