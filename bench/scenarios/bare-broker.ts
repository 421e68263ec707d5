import { createServer } from "node:net";
import { Aedes } from "aedes";
import pg from "pg";

/**
 * The baseline: a bare aedes that parses each message and inserts batches by `unnest` before it acknowledges. No devices, alarms, latest values or
 * live socket. Runs as a separate process: DATABASE_URL in, the port out.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 1 });
// The database may be stopped before this process.
pool.on("error", () => undefined);
await pool.query("CREATE TABLE bare (channel_id int, ts bigint, value float8, PRIMARY KEY (channel_id, ts))");

const insert = "INSERT INTO bare SELECT * FROM unnest($1::int[], $2::bigint[], $3::float8[]) ON CONFLICT DO NOTHING";

interface Waiting {
  client: number;
  text: string;
  acknowledge: (fault?: Error | null) => void;
}
let queue: Waiting[] = [];
let isWriting = false;

interface Moment {
  ts: number;
  values: Record<string, number>;
}

const columnsOf = (batch: readonly Waiting[]): [number[], number[], number[]] => {
  const [channels, times, values]: [number[], number[], number[]] = [[], [], []];
  for (const { client, text } of batch)
    for (const moment of JSON.parse(text) as Moment[]) {
      let channel = client * 100;
      for (const value of Object.values(moment.values)) {
        channels.push(channel++);
        times.push(moment.ts);
        values.push(value);
      }
    }
  return [channels, times, values];
};

const write = async (): Promise<void> => {
  isWriting = true;
  while (queue.length > 0) {
    const batch = queue;
    queue = [];
    await pool.query(insert, columnsOf(batch));
    for (const { acknowledge } of batch) acknowledge(null);
  }
  isWriting = false;
};

const numbers = new Map<string, number>();
const numberOf = (id: string): number => {
  const known = numbers.get(id) ?? numbers.size;
  numbers.set(id, known);
  return known;
};

const broker = await Aedes.createBroker({
  authorizePublish: (client, packet, acknowledge) => {
    queue.push({ client: numberOf(client?.id ?? ""), text: packet.payload.toString(), acknowledge });
    if (!isWriting) void write();
  },
});
const server = createServer((socket) => void broker.handle(socket));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : 0 });
});
process.on("disconnect", () => process.exit());
