import type { Operator } from "../open.ts";
import type { Row } from "../print.ts";

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
