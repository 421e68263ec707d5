import { AlertClass } from "@telltale/contract/domains/alerts";
import { alertFacts, joinNames, joinRule } from "../../notify/index.ts";
import { byteas, integers } from "../../platform/database/array-parameters.ts";
import type { Statement } from "../../platform/database/runner.ts";
import { type Block, encodeBlock, gathered } from "../../readings/index.ts";

/** SQL: whether the bridge `b` publishes this device of its plant. */
export const covers = (deviceId: string): string => `(b.all_devices OR EXISTS (
    SELECT FROM bridge_devices chosen WHERE chosen.bridge_id = b.bridge_id AND chosen.device_id = ${deviceId}))`;

/** SQL: ids of the bridges that the readings of a device are queued for. `device`: alias of its row. */
export const bridgesOfValues = (device: string): string => `
  ARRAY(SELECT b.bridge_id FROM bridges b
         WHERE b.plant_id = ${device}.plant_id AND b.is_enabled AND b.sends_values AND ${covers(`${device}.device_id`)})`;

const insertReadings = {
  name: "queue-readings",
  text: `INSERT INTO bridge_queue (bridge_id, queued_ts, count, readings)
         SELECT q.bridge_id, $4::int8, q.count, q.readings FROM unnest($1::int4[], $2::int4[], $3::bytea[]) AS q(bridge_id, count, readings)`,
};

/** A device and the bridges that its readings are queued for. */
interface BridgedDevice {
  deviceId: number;
  bridges: readonly number[];
}

/**
 * Statements that queue readings of a commit for bridges, in its transaction and after its fence: that is held until the commit, so the entries of a device
 * are numbered in the order of its commits. None without bridges. `now`: epoch milliseconds.
 */
export const queueReadings = (
  blocks: readonly Block[],
  devices: readonly BridgedDevice[],
  now: number,
): Statement[] => {
  if (devices.length === 0) return [];
  const devicesOf = new Map<number, Set<number>>();
  for (const { deviceId, bridges } of devices)
    for (const bridgeId of bridges) devicesOf.set(bridgeId, (devicesOf.get(bridgeId) ?? new Set()).add(deviceId));
  const queued = [...devicesOf].flatMap(([bridgeId, deviceIds]) => {
    const block = gathered(blocks, deviceIds);
    return block ? [{ bridgeId, block }] : [];
  });
  if (queued.length === 0) return [];
  const values = [
    integers(queued.map(({ bridgeId }) => bridgeId)),
    integers(queued.map(({ block }) => block.times.length)),
    byteas(queued.map(({ block }) => encodeBlock(block))),
    now,
  ];
  return [{ ...insertReadings, values }];
};

/** An event of a device, such as that it is online again, is over at once and not cleared. */
const clearedTime = `
  CASE WHEN r.cleared_time IS NULL OR r.alarm_class = ${AlertClass.notification} THEN '{}'::jsonb
       ELSE jsonb_build_object('clearedTime', round(extract(epoch FROM r.cleared_time) * 1000), 'isBackToNormal', true) END`;

/**
 * SQL that queues what has become of alerts for the bridges that publish them, in the statement that raises or clears these. `changed`: the query whose
 * rows have the columns of alerts; one that has cleared is queued as cleared. `now`: SQL expression of the time.
 */
export const queueAlerts = (changed: string, now: string): string => `
  INSERT INTO bridge_queue (bridge_id, queued_ts, count, alert)
  SELECT b.bridge_id, round(extract(epoch FROM ${now}) * 1000)::int8, 1, ${alertFacts(now, "NULL", clearedTime)}->'alert'
    FROM ${changed} r
    JOIN bridges b ON b.plant_id = r.plant_id AND b.is_enabled AND b.sends_alerts AND ${covers("r.device_id")}
    ${joinNames} ${joinRule}`;
