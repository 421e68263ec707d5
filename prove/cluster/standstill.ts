import { setTimeout as sleep } from "node:timers/promises";
import { inDatabaseAt } from "../database.ts";
import type { Finding } from "../finding.ts";
import type { Fleet } from "../fleet.ts";
import type { Cluster } from "./nodes.ts";

/** Longer than a silent device, and a node that is not heard, are waited for; seconds. */
const duration = 70;
/** Longer than the offline check needs to notice what happened meanwhile, milliseconds. */
const afterwards = 15_000;

const offline = `
  SELECT (SELECT count(*) FROM alerts WHERE msg LIKE 'Offline%') AS entries, (SELECT count(*) FROM devices WHERE device_id = ANY($1) AND NOT is_online) AS devices`;

/** A node stands still for longer than any timeout, and goes on: its devices are elsewhere by then, and none of them was offline. */
export const standStill = async ({ nodes, databaseUrl }: Cluster, fleet: Fleet): Promise<Finding> => {
  const node = nodes[2];
  if (!node) throw new Error("There is no third node");
  const look = () =>
    inDatabaseAt(databaseUrl, async (database) => {
      const serials = fleet.members.map(({ unit }) => unit.deviceSnId);
      const ids = await database.query<{ device_id: number }>(
        "SELECT device_id FROM devices WHERE device_sn_id = ANY($1)",
        [serials],
      );
      const { rows } = await database.query<{ entries: number; devices: number }>(offline, [
        ids.rows.map((row) => row.device_id),
      ]);
      return rows[0] ?? { entries: Number.NaN, devices: Number.NaN };
    });
  const before = await look();
  process.kill(node.pid(), "SIGSTOP");
  try {
    await sleep(duration * 1000);
  } finally {
    process.kill(node.pid(), "SIGCONT");
  }
  await sleep(afterwards);
  await fleet.eachHas(10);
  const after = await look();
  return {
    promise: `A node that stands still for ${duration} s makes no device offline`,
    counted: `${after.entries - before.entries} entries, ${after.devices} devices shown as offline`,
    isKept: after.entries === before.entries && after.devices === 0,
  };
};
