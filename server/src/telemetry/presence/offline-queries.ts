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

/** How long a node may be silent before others judge its devices, and how long these then have to come to another node. */
const deadAfter = "interval '30 seconds'";
const reconnectTime = "interval '30 seconds'";

const writeHeard = `
  UPDATE devices d SET last_seen_time = to_timestamp(h.at / 1000.0) FROM unnest($1::int4[], $2::int8[]) AS h(id, at)
   WHERE d.device_id = h.id AND (d.last_seen_time IS NULL OR d.last_seen_time < to_timestamp(h.at / 1000.0))`;

// A node that stood still finds messages in its sockets that are older than their devices' connections to other nodes, and hears them late. So of two
// connections the newer one counts, and not the message that was heard last; that to a dead node counts no more. The clocks of the nodes may differ by as much as a connection lasts.
const writeNode = `
  INSERT INTO device_nodes AS known (device_id, node_id, connected_time)
  SELECT id, $2::uuid, to_timestamp(nullif(connected, 0) / 1000.0) FROM unnest($1::int4[], $3::int8[]) AS h(id, connected)
  ON CONFLICT (device_id) DO UPDATE SET node_id = excluded.node_id, connected_time = excluded.connected_time
   WHERE CASE WHEN known.node_id = excluded.node_id THEN known.connected_time IS DISTINCT FROM excluded.connected_time
              ELSE coalesce(known.connected_time <= excluded.connected_time, true)
                OR known.node_id NOT IN (SELECT node_id FROM nodes WHERE heard_time >= now() - ${deadAfter}) END`;

// A connection that has ended keeps its device from no other node, whose connection may be older and the only one that is left.
const endConnections = `
  UPDATE device_nodes n SET connected_time = to_timestamp(nullif(h.connected, 0) / 1000.0) FROM unnest($1::int4[], $3::int8[]) AS h(id, connected)
   WHERE n.device_id = h.id AND n.node_id = $2::uuid AND n.connected_time IS DISTINCT FROM to_timestamp(nullif(h.connected, 0) / 1000.0)`;

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

// The death of a link counts unless another node has the device: by a connection, or, without one, because it has heard the device since.
const isLinkLost = `is_online AND device_id = lost.id
  AND NOT EXISTS (SELECT 1 FROM device_nodes n WHERE n.device_id = lost.id AND n.node_id <> $2::uuid
                     AND (n.connected_time IS NOT NULL OR last_seen_time > to_timestamp(lost.at / 1000.0)))`;
const theLost = "unnest($1::int4[], $3::int8[]) AS lost(id, at)";
const lostDevices = `SELECT device_id FROM devices, ${theLost} WHERE ${isLinkLost}`;
const markLinkLost = `
  UPDATE devices SET is_online = false FROM ${theLost} WHERE ${isLinkLost} RETURNING device_id, plant_id, 0 AS offline_report, is_disabled`;

/** A device with a message since the last check; times in epoch milliseconds. */
export interface HeardDevice extends Pick<KnownDevice, "deviceId" | "heardAt"> {
  /** When the connection to this node was made that it, or its master, has; undefined when it has none, like a device that posts. */
  connectedAt: number | undefined;
}

/** A device of which a connection to this node has ended, its own or its master's; `connectedAt` is that of another one that it still has. */
export type DisconnectedDevice = Pick<HeardDevice, "deviceId" | "connectedAt">;

/** Times in epoch milliseconds. */
export interface HeardDevices {
  node: ServerNode;
  /** Number of the server that keeps the devices. */
  server: number;
  now: number;
  /** The clock was set, or this is the first check. */
  isClockSet: boolean;
  heard: readonly HeardDevice[];
  disconnected: readonly DisconnectedDevice[];
}

const idsOf = (devices: readonly Pick<KnownDevice, "deviceId">[]): Buffer =>
  integers(devices.map(({ deviceId }) => deviceId));
const connectionsOf = (devices: readonly DisconnectedDevice[]): Buffer =>
  bigints(devices.map(({ connectedAt }) => connectedAt ?? 0));

/** Writes when this node heard these devices, and that this node has them, unless they have a newer connection to another one. */
export const writeHeardTimes = async (
  client: PoolClient,
  { node, server, now, isClockSet, heard, disconnected }: HeardDevices,
): Promise<void> => {
  if (isClockSet) await client.query(clampFutureTimes(server), [now]);
  if (isClockSet && node.isOfCluster) await client.query(clampFutureConnections(server), [now]);
  if (heard.length > 0) await client.query(writeHeard, [idsOf(heard), bigints(heard.map(({ heardAt }) => heardAt))]);
  if (!node.isOfCluster) return;
  if (heard.length > 0) await client.query(writeNode, [idsOf(heard), node.id, connectionsOf(heard)]);
  if (disconnected.length > 0)
    await client.query(endConnections, [idsOf(disconnected), node.id, connectionsOf(disconnected)]);
};

/** A device whose link was lost, and when, in epoch milliseconds. */
interface LostDevice extends Pick<KnownDevice, "deviceId"> {
  lostAt: number;
}

/** Times in epoch milliseconds. */
export interface OfflineCheck {
  node: ServerNode;
  /** Number of the server that keeps the devices. */
  server: number;
  now: number;
  /** Silence counts from this time at the earliest. */
  since: number;
  /** Devices whose link has been lost for longer than the grace period. */
  lost: readonly LostDevice[];
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
  const links = (of: readonly LostDevice[]) => [idsOf(of), node.id, bigints(of.map(({ lostAt }) => lostAt))];
  const unlinked = lost.length === 0 ? [] : await find(lostDevices, links(lost));
  if (silent.length + unlinked.length === 0) return [];
  await raiseVersions(client, [...new Set([...silent, ...unlinked])]);
  const marked = await client.query<Silent>(markSilent, [now, since, node.id, silent]);
  const isDead = new Set(unlinked);
  const dead = await client.query<Silent>(markLinkLost, links(lost.filter(({ deviceId }) => isDead.has(deviceId))));
  return [...marked.rows, ...dead.rows];
};
