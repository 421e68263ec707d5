import { DeviceType, deviceStatusLabels } from "@telltale/contract/domains/devices";
import { bridgeStateOf } from "@telltale/contract/domains/readings/bridges";
import { notificationChannels } from "@telltale/contract/notification-channels";
import { sql } from "kysely";
import { statusOf } from "../access/index.ts";
import { lagsOf } from "../bridges/index.ts";
import type { Letter } from "../notify/index.ts";
import { holdersOf } from "../platform/database/serving-lock.ts";
import { forecastDisk } from "../platform/metrics/disk-forecast.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

const gigabyte = 1e9;
const rounded = (bytes: number): number => Math.round((bytes / gigabyte) * 100) / 100;

/** How full the disk of DATA_DIR is, in gigabytes, and when it will be full at the rate of the last day. */
export const showDisk = async ({ db, pool, clock, dataDir }: Operator): Promise<Row[]> => {
  const { freeBytes, sizeBytes, bytesADay, daysLeft } = await forecastDisk({ pool, clock }, dataDir);
  const { rows } = await sql<{ size: number }>`SELECT pg_database_size(current_database()) AS size`.execute(db);
  return [
    {
      diskGB: rounded(sizeBytes),
      freeGB: rounded(freeBytes),
      databaseGB: rounded(rows[0]?.size ?? 0),
      growthGBADay: bytesADay === null ? null : rounded(bytesADay),
      fullInDays: daysLeft === null ? null : Math.floor(daysLeft),
    },
  ];
};

/** The latest messages of the outbox. The link of a sent message is no longer stored. */
export const listOutbox = async ({ db }: Operator, count: number): Promise<Row[]> => {
  const messages = await db.selectFrom("outbox").selectAll().orderBy("message_id", "desc").limit(count).execute();
  return messages.map((message) => ({
    time: message.created_time.toISOString(),
    kind: notificationChannels[message.kind].name,
    recipient: message.recipient,
    subject: message.subject,
    status: message.status,
    tries: message.tries,
    fault: message.fault || null,
    text: (message.body as { text?: string }).text ?? null,
    link: (message.body as Partial<Letter>).action?.url ?? null,
  }));
};

const nodes = `
  SELECT n.name, n.version, n.started_time, round(extract(epoch FROM now() - n.heard_time))::int AS heard,
         (SELECT count(*) FROM device_nodes d JOIN devices USING (device_id) WHERE d.node_id = n.node_id AND is_online)::int AS devices
    FROM nodes n ORDER BY n.started_time`;

interface NodeRow {
  name: string;
  version: string;
  started_time: Date;
  heard: number;
  devices: number;
}

/** The nodes that serve this database together, and how many online devices each heard last. Empty for a server that has it to itself. */
export const listNodes = async ({ pool }: Pick<Operator, "pool">): Promise<Row[]> => {
  const { rows } = await pool.query<NodeRow>(nodes);
  return rows.map(({ name, version, started_time, heard, devices }) => ({
    node: name,
    version,
    started: started_time.toISOString(),
    heardSecondsAgo: heard,
    devicesOnline: devices,
  }));
};

/** Whether a server, or a node of a cluster, serves this database. */
const isServed = async (pool: Operator["pool"]): Promise<boolean> => {
  const client = await pool.connect();
  try {
    return (await holdersOf(client)).length > 0;
  } finally {
    client.release();
  }
};

/** All bridges with their plants, what they do now and how far they are behind; `bridge` is the number by which `/metrics` names each. */
export const listBridges = async ({ db, pool }: Pick<Operator, "db" | "pool">): Promise<Row[]> => {
  const rows = await db
    .selectFrom("bridges as b")
    .innerJoin("plants as p", "p.plant_id", "b.plant_id")
    .select(["b.bridge_id", "b.bridge_name", "b.url", "b.fault", "p.name as plant"])
    .select(["b.is_enabled as enabled", "b.connected_since as connectedSince", "b.failing_since as failingSince"])
    .select(["b.published_count", "b.published_time", "b.refused_count", "b.lost_count"])
    .orderBy("b.bridge_id")
    .execute();
  const ids = rows.map(({ bridge_id }) => bridge_id);
  const runs = await isServed(pool);
  const lagOf = new Map((await lagsOf(pool, ids)).map((lag) => [lag.bridgeId, lag]));
  return rows.map((row) => {
    const { count = 0, oldest = null } = lagOf.get(row.bridge_id) ?? {};
    return {
      bridge: row.bridge_id,
      name: row.bridge_name,
      plant: row.plant,
      broker: row.url,
      // What a server that stopped has left there is no state of now.
      state: runs || !row.enabled ? bridgeStateOf(row) : "no server runs",
      behind: count,
      behindSince: oldest === null ? null : new Date(oldest).toISOString(),
      published: row.published_count,
      lastPublished: row.published_time?.toISOString() ?? null,
      refused: row.refused_count,
      lost: row.lost_count,
      failingSince: row.failingSince?.toISOString() ?? null,
      fault: row.fault || null,
    };
  });
};

/** The node of a cluster that heard the device last; null also when that node is gone. */
const nodeOfDevice = sql<string | null>`
  (SELECT n.name FROM device_nodes h JOIN nodes n USING (node_id) WHERE h.device_id = devices.device_id)`;

/** All units with owner, access token and status, in a cluster with the node that heard each last; with `ownerEmail` only that owner's. */
export const listDevices = async ({ db, pool, clock }: Operator, ownerEmail?: string): Promise<Row[]> => {
  const isOfCluster = (await pool.query("SELECT FROM nodes LIMIT 1")).rows.length > 0;
  const rows = await db
    .selectFrom("devices")
    .leftJoin("plants as p", "p.plant_id", "devices.plant_id")
    .leftJoin("accounts as a", "a.account_id", "p.plant_id")
    .leftJoin("users as u", "u.user_id", "a.user_id")
    .leftJoin("devices as master", "master.device_id", "devices.parent_device_id")
    .select([
      "devices.device_id",
      "devices.device_sn_id",
      "devices.device_sn",
      "devices.device_type",
      "devices.device_name",
    ])
    .select(["devices.access_token", "devices.plant_id", "p.name as plant", "u.email", "master.device_sn_id as parent"])
    .select([statusOf(clock.date()).as("status"), nodeOfDevice.as("node")])
    .where("devices.device_id", "not in", db.selectFrom("deleted_devices").select("deleted_devices.device_id"))
    .$if(ownerEmail !== undefined, (query) =>
      query.where(({ eb, fn }) => eb(fn<string>("lower", ["u.email"]), "=", (ownerEmail ?? "").toLowerCase())),
    )
    .orderBy("devices.device_id")
    .execute();
  return rows.map((row) => ({
    deviceSnId: row.device_sn_id,
    deviceSn: row.device_sn,
    deviceType: row.device_type === DeviceType.main ? "main" : "sub",
    deviceName: row.device_name || null,
    parent: row.parent,
    plant: row.plant,
    owner: row.email,
    status: row.plant_id === null ? "Unclaimed" : deviceStatusLabels[row.status],
    ...(isOfCluster ? { node: row.node } : {}),
    accessToken: row.access_token,
  }));
};
