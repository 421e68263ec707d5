import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import type { Pool, PoolClient } from "pg";
import { clear, keepPeaks, keepPhases, type RaisedAlert, raise, ruleKey } from "../../alarms/index.ts";
import { recordedOf } from "../../alarms/rules/recorded.rules.ts";
import { queueReadings } from "../../bridges/index.ts";
import { bigints, doubles, integers, smallints } from "../../platform/database/array-parameters.ts";
import type { Statement } from "../../platform/database/runner.ts";
import { inOneTrip, inTransaction } from "../../platform/database/transaction.ts";
import {
  changedVersion,
  commitTogether,
  fenceOf,
  insertionsOf,
  isInParts,
  mergeDevices,
} from "../../readings/index.ts";
import type { KnownChannel, KnownDevice } from "../devices/known-device.ts";
import type { EvaluatedBatch, RaisedByReading } from "./evaluated-batch.ts";
import { groupBatches } from "./group-batches.ts";
import type { Arrival } from "./submission.ts";

/** A device has changed since it was loaded: its readings must be evaluated again. */
export class Outdated extends Error {}

/** PostgreSQL's code of a missing row that another refers to: such a message is refused, and its batch written without it. */
const missingRow = "23503";

/** The newest readings that do not follow from the batch: what the merge wrote before is replaced. */
const replaceLatest = {
  name: "replace-latest",
  text: `INSERT INTO latest (channel_id, ts, value, status, received_ts)
         SELECT *, $5::int8 FROM unnest($1::int4[], $2::int8[], $3::float8[], $4::int2[])
         ON CONFLICT (channel_id) DO UPDATE SET ts = excluded.ts, value = excluded.value, status = excluded.status,
           received_ts = CASE WHEN excluded.ts <> latest.ts THEN excluded.received_ts ELSE latest.received_ts END`,
};

const raisedOf = (raised: RaisedByReading): RaisedAlert[] => {
  const { rule, channel, evaluatedBy, ts, clearedTs } = raised;
  const { deviceId, plantId } = channel.device;
  if (plantId === null) return [];
  return [
    {
      plantId,
      deviceId,
      channelId: channel.channelId,
      alarmId: rule.alarmId,
      alarmClass: rule.alarmClass,
      alarmType: rule.alarmType,
      ...recordedOf(rule, raised, evaluatedBy.unit),
      reportInterval: evaluatedBy.reportInterval,
      at: ts,
      clearedAt: clearedTs,
      key: rule.key,
    },
  ];
};

/** A transaction that has raised the versions of devices before they were looked at: nobody else changes them until it ends. */
export interface Held {
  client: PoolClient;
  /** By device ID. */
  raised: ReadonlyMap<number, number>;
  commit(): Promise<void>;
}

/** What is written besides the evaluated readings. */
interface Circumstances {
  arrivals: readonly Arrival[];
  /** This start of the server. */
  nodeId: string;
  /** Server time, epoch milliseconds. */
  now: number;
}

const keepArrivals = `
  INSERT INTO arrivals (device_id, packet_id, digest, ts, node_id)
  SELECT device_id, packet_id, digest, ts, $5 FROM unnest($1::int4[], $2::int4[], $3::int8[], $4::int8[]) AS a(device_id, packet_id, digest, ts)
  ON CONFLICT (device_id, packet_id) DO UPDATE SET digest = excluded.digest, ts = excluded.ts, node_id = excluded.node_id, is_lost = false`;

const storeArrivals = async (client: PoolClient, { arrivals, nodeId }: Circumstances): Promise<void> => {
  // An upsert may not touch a row twice: of messages resent within one batch the last one wins.
  const rows = [...new Map(arrivals.map((arrival) => [`${arrival.deviceId}:${arrival.slot}`, arrival])).values()];
  await client.query(keepArrivals, [
    integers(rows.map((row) => row.deviceId)),
    integers(rows.map((row) => row.slot)),
    bigints(rows.map((row) => row.digest)),
    bigints(rows.map((row) => row.ts)),
    nodeId,
  ]);
};

const markOnline = `
  UPDATE devices d SET is_online = true, first_seen_time = coalesce(d.first_seen_time, to_timestamp($2::float8 / 1000)),
         last_seen_time = to_timestamp($2::float8 / 1000)
    FROM devices before WHERE d.device_id = ANY($1::int4[]) AND before.device_id = d.device_id AND NOT d.is_online
  RETURNING d.device_id, d.plant_id, d.is_disabled, before.first_seen_time IS NULL AS is_first`;

interface CameOnline {
  device_id: number;
  plant_id: number | null;
  is_disabled: boolean;
  is_first: boolean;
}

const onlineAgain = (
  { device_id: deviceId, plant_id: plantId, is_disabled, is_first }: CameOnline,
  now: number,
): RaisedAlert[] =>
  plantId === null || is_disabled
    ? []
    : [
        {
          plantId,
          deviceId,
          alarmClass: AlertClass.notification,
          alarmType: AlertType.system,
          msg: is_first ? "Online for the first time" : "Online again",
          at: now,
          clearedAt: now,
          key: ruleKey.notification(deviceId, "online"),
        },
      ];

/** Marks offline devices online, clears their offline alerts and writes the notifications. */
const storeOnline = async (client: PoolClient, devices: readonly KnownDevice[], now: number): Promise<void> => {
  const { rows } = await client.query<CameOnline>(markOnline, [devices.map((device) => device.deviceId), now]);
  await clear(
    client,
    rows.map((row) => ({ key: ruleKey.notification(row.device_id, "offline"), at: now })),
  );
  await raise(
    client,
    rows.flatMap((row) => onlineAgain(row, now)),
    now,
  );
};

/** Devices whose readings are written or evaluated by the batch. */
const writtenDevices = (batch: EvaluatedBatch): KnownDevice[] => {
  const devices = new Set<KnownDevice>([...batch.reevaluated, ...batch.ticked]);
  let last: KnownDevice | undefined;
  for (const { device } of batch.channels) {
    if (device !== last) devices.add(device);
    last = device;
  }
  return [...devices];
};

/**
 * Statements that every batch begins with: its devices must be as they were when it was evaluated, those that are not held; its readings, also for the
 * bridges that publish them.
 */
const readingsOf = (batch: EvaluatedBatch, devices: readonly KnownDevice[], now: number, held?: Held): Statement[] => {
  const gone = devices.find(({ version }) => Number.isNaN(version));
  if (gone) throw Object.assign(new Error(`Device ${gone.deviceId} no longer exists`), { code: missingRow });
  const batches = groupBatches(batch);
  const fenced = devices.filter(({ deviceId }) => !held?.raised.has(deviceId));
  return [
    ...(fenced.length > 0 ? [fenceOf(fenced)] : []),
    ...insertionsOf(batches, now),
    ...queueReadings(
      batches.map(({ block }) => block),
      devices.filter(({ bridges }) => bridges.length > 0),
      now,
    ),
  ];
};

/** Whether all that the batch writes is on the servers of its readings: the queue of bridges is on the coordinator. */
const isInOnePlace = (devices: readonly KnownDevice[]): boolean =>
  !(isInParts() && devices.some(({ bridges }) => bridges.length > 0));

/** Writes newest readings that do not follow from the batch, after everything before them is merged. */
const storeCorrected = async (client: PoolClient, corrected: readonly KnownChannel[], now: number): Promise<void> => {
  if (corrected.length === 0) return;
  await mergeDevices(client, [...new Set(corrected.map(({ device }) => device.deviceId))]);
  // All writers lock rows in the same order, which prevents deadlocks.
  const newest = corrected
    .toSorted((a, b) => a.channelId - b.channelId)
    .map((channel) => ({ id: channel.channelId, ...(channel.draft ?? channel.state) }));
  await client.query({
    ...replaceLatest,
    values: [
      integers(newest.map((row) => row.id)),
      bigints(newest.map((row) => row.ts)),
      doubles(newest.map((row) => row.value)),
      smallints(newest.map((row) => row.status)),
      now,
    ],
  });
};

/** Whether there is nothing to write but readings, as in most batches. */
const isPlain = (
  { corrected, peaks, phases, cleared, raised, cameOnline }: EvaluatedBatch,
  arrivals: readonly Arrival[],
): boolean =>
  corrected.size + peaks.size + phases.size + cleared.length + raised.length + cameOnline.size + arrivals.length === 0;

const storeRest = async (client: PoolClient, batch: EvaluatedBatch, circumstances: Circumstances): Promise<void> => {
  const { arrivals, now } = circumstances;
  await commitTogether(client);
  await storeCorrected(client, [...batch.corrected], now);
  await keepPeaks(client, batch.peaks);
  await keepPhases(client, batch.phases);
  await clear(
    client,
    batch.cleared.map(({ key, ts }) => ({ key, at: ts })),
  );
  await raise(client, batch.raised.flatMap(raisedOf), now);
  if (arrivals.length > 0) await storeArrivals(client, circumstances);
  if (batch.cameOnline.size > 0) await storeOnline(client, [...batch.cameOnline], now);
};

/** Writes all of a batch in a transaction. */
const writeAll = async (
  client: PoolClient,
  first: readonly Statement[],
  batch: EvaluatedBatch,
  circumstances: Circumstances,
): Promise<void> => {
  await Promise.all(first.map((statement) => client.query(statement)));
  await storeRest(client, batch, circumstances);
};

/**
 * Commits an evaluated batch in one transaction, in the one that holds its devices if there is one, and notes the new versions of its devices. Throws
 * `Outdated` when a device has changed since it was loaded; then nothing is written.
 */
export const storeBatch = async (
  pool: Pool,
  batch: EvaluatedBatch,
  circumstances: Circumstances,
  held?: Held,
): Promise<void> => {
  const devices = writtenDevices(batch);
  const first = readingsOf(batch, devices, circumstances.now, held);
  try {
    if (held) {
      await writeAll(held.client, first, batch, circumstances);
      await held.commit();
    } else if (isPlain(batch, circumstances.arrivals) && isInOnePlace(devices)) await inOneTrip(pool, first);
    else await inTransaction(pool, (client) => writeAll(client, first, batch, circumstances));
  } catch (fault) {
    if (fault instanceof Error && "code" in fault && fault.code === changedVersion) throw new Outdated(fault.message);
    throw fault;
  }
  for (const device of devices) device.version += 1;
};
