import type { PoolClient } from "pg";
import { bigints, integers } from "../../platform/database/array-parameters.ts";
import type { ServerNode } from "../../platform/node/node.ts";
import { isKeptBy, raiseVersions } from "../../readings/index.ts";
import type { KnownDevice } from "../devices/known-device.ts";

/** A device that was marked offline. */
export interface Silent {
  device_id: number;
  plant_id: number | null;
  /** Minutes; 0 when its link was lost. */
  offline_report: number;
  is_disabled: boolean;
}

// After the clock was set back, last-seen times may lie in the future and would hide silence until then.
const clampFutureTimes = (server: number): string => `
  UPDATE devices SET last_seen_time = to_timestamp($1::float8 / 1000)
   WHERE last_seen_time > to_timestamp($1::float8 / 1000) AND ${isKeptBy(server, "device_id")}`;
const clampFutureConnections = (server: number): string => `
  UPDATE device_nodes SET connected_time = to_timestamp($1::float8 / 1000)
   WHERE connected_time > to_timestamp($1::float8 / 1000) AND ${isKeptBy(server, "device_id")}`;

const writeHeard = `
  UPDATE devices d SET last_seen_time = to_timestamp(h.at / 1000.0) FROM unnest($1::int4[], $2::int8[]) AS h(id, at)
   WHERE d.device_id = h.id AND (d.last_seen_time IS NULL OR d.last_seen_time < to_timestamp(h.at / 1000.0))`;

// A node that stood still finds messages in its sockets that are older than their devices' connections to other nodes, and hears them late. So of two
// connections the newer one counts, and not the message that was heard last. The clocks of the nodes may differ by as much as a connection lasts.
const writeNode = `
  INSERT INTO device_nodes AS known (device_id, node_id, connected_time)
  SELECT id, $2::uuid, to_timestamp(nullif(connected, 0) / 1000.0) FROM unnest($1::int4[], $3::int8[]) AS h(id, connected)
  ON CONFLICT (device_id) DO UPDATE SET node_id = excluded.node_id, connected_time = excluded.connected_time
   WHERE CASE WHEN known.node_id = excluded.node_id THEN known.connected_time IS DISTINCT FROM excluded.connected_time
              ELSE coalesce(known.connected_time <= excluded.connected_time, true) END`;

/** How long a node may be silent before others judge its devices, and how long these then have to come to another node. */
const deadAfter = "interval '30 seconds'";
const reconnectTime = "interval '30 seconds'";

/** The node that has the device, if it is another one: it alone knows whether the device is silent, as long as it lives. */
const otherNode = `
  LEFT JOIN (SELECT device_id, heard_time FROM device_nodes JOIN nodes USING (node_id) WHERE node_id <> $3::uuid) AS other USING (device_id)`;
const ofThisNode = `(other.heard_time IS NULL OR other.heard_time < now() - ${deadAfter})`;

// Silence counts from the later of the last message and this server's own start, so that a restart raises no alert storm; and for the devices of a
// dead node from the time at which they had to connect to another one. $1: now; $2: since when this server can hear; $3: this node.
const isSilent = `is_online AND ${ofThisNode}
  AND greatest(coalesce(last_seen_time, to_timestamp(0)), to_timestamp($2::float8 / 1000), other.heard_time + ${deadAfter} + ${reconnectTime})
      + offline_report * interval '1 minute' < to_timestamp($1::float8 / 1000)`;
const silentDevices = (server: number): string =>
  `SELECT device_id FROM devices ${otherNode} WHERE ${isSilent} AND ${isKeptBy(server, "device_id")}`;
const markSilent = `
  UPDATE devices SET is_online = false WHERE device_id IN (SELECT device_id FROM devices ${otherNode} WHERE device_id = ANY($4::int4[]) AND ${isSilent})
  RETURNING device_id, plant_id, offline_report, is_disabled`;

// The death of a link counts only while no other node has the device.
const isLinkLost = `is_online AND device_id = ANY($1::int4[])
  AND NOT EXISTS (SELECT 1 FROM device_nodes n WHERE n.device_id = devices.device_id AND n.node_id <> $2::uuid)`;
const lostDevices = `SELECT device_id FROM devices WHERE ${isLinkLost}`;
const markLinkLost = `
  UPDATE devices SET is_online = false WHERE ${isLinkLost} RETURNING device_id, plant_id, 0 AS offline_report, is_disabled`;

/** A device with a message since the last check; times in epoch milliseconds. */
export interface HeardDevice extends Pick<KnownDevice, "deviceId" | "heardAt"> {
  /** When the connection to this node was made that it, or its master, has; undefined when it has none, like a device that posts. */
  connectedAt: number | undefined;
}

/** Times in epoch milliseconds. */
export interface HeardDevices {
  node: ServerNode;
  /** Number of the server that keeps the devices. */
  server: number;
  now: number;
  /** The clock was set, or this is the first check. */
  isClockSet: boolean;
  heard: readonly HeardDevice[];
}

/** Writes when this node heard these devices, and that this node has them, unless they have a newer connection to another one. */
export const writeHeardTimes = async (
  client: PoolClient,
  { node, server, now, isClockSet, heard }: HeardDevices,
): Promise<void> => {
  if (isClockSet) await client.query(clampFutureTimes(server), [now]);
  if (isClockSet && node.isOfCluster) await client.query(clampFutureConnections(server), [now]);
  if (heard.length === 0) return;
  const ids = integers(heard.map((device) => device.deviceId));
  await client.query(writeHeard, [ids, bigints(heard.map((device) => device.heardAt))]);
  if (!node.isOfCluster) return;
  await client.query(writeNode, [ids, node.id, bigints(heard.map(({ connectedAt }) => connectedAt ?? 0))]);
};

/** Times in epoch milliseconds. */
export interface OfflineCheck {
  node: ServerNode;
  /** Number of the server that keeps the devices. */
  server: number;
  now: number;
  /** Silence counts from this time at the earliest. */
  since: number;
  /** Devices whose link has been lost for longer than the grace period. */
  lost: readonly number[];
}

/**
 * Marks devices offline that this node judges to be silent, or whose link is lost. Their versions are raised first: whoever has one of them in memory
 * as online loads it again with its next reading.
 */
export const markOffline = async (
  client: PoolClient,
  { node, server, now, since, lost }: OfflineCheck,
): Promise<Silent[]> => {
  const find = async (query: string, parameters: unknown[]): Promise<number[]> =>
    (await client.query<{ device_id: number }>(query, parameters)).rows.map((row) => row.device_id);
  const silent = await find(silentDevices(server), [now, since, node.id]);
  const unlinked = lost.length === 0 ? [] : await find(lostDevices, [integers(lost), node.id]);
  if (silent.length + unlinked.length === 0) return [];
  await raiseVersions(client, [...new Set([...silent, ...unlinked])]);
  const marked = await client.query<Silent>(markSilent, [now, since, node.id, silent]);
  const dead = await client.query<Silent>(markLinkLost, [integers(unlinked), node.id]);
  return [...marked.rows, ...dead.rows];
};
