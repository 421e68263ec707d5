import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@telltale/contract/call/client";
import { httpPath } from "@telltale/contract/device-api";
import type { RunningServer } from "../../e2e/server-process.ts";
import { addUnit, idsOf } from "../../e2e/unit.ts";
import { inDatabaseAt } from "../database.ts";
import { count, type Finding } from "../finding.ts";
import { owner } from "../fleet.ts";

const hour = 3_600_000;
const hours = 48;
const perMessage = 100;
/** The second round finds its hours packed by the first. */
const rounds = 2;
/** Longest time until everything is packed, milliseconds. */
const patience = 180_000;

const unpacked = `
  SELECT (SELECT count(*) FROM batches WHERE $1 = ANY(device_ids))::int + (SELECT count(*) FROM chunks WHERE device_id = $1)::int AS rows`;
const packed = `
  SELECT coalesce(sum(count), 0)::float8 AS readings, coalesce(sum(s.sum), 0)::float8 AS total,
         coalesce((SELECT sum(v) FROM packed_hours p, unnest(p.values) AS v WHERE p.channel_id = $1), 0)::float8 AS packed
    FROM hour_summaries s WHERE channel_id = $1`;

/** Past readings that all nodes receive at once and pack: their hours keep the number and the sum of what was sent. */
export const lateReadings = async (
  nodes: readonly RunningServer[],
  client: Client,
  url: string,
  messages: number,
): Promise<Finding> => {
  const [first] = nodes;
  if (!first) throw new Error("There is no node");
  const unit = await addUnit(first, { owner: owner.email, name: "Late" });
  const { deviceId, channels } = await idsOf(client, unit.deviceSnId);
  const path = httpPath(unit.accessToken, "telemetry");
  const since = Math.floor(Date.now() / hour) * hour - (hours + 2) * hour;
  let [sent, total] = [0, 0];
  const send = async ({ baseURL }: RunningServer): Promise<void> => {
    const readings = Array.from({ length: perMessage }, (_, at) => {
      const index = sent + at;
      return { ts: since + (index % hours) * hour + Math.floor(index / hours) * 7, values: { AI1: index % 40 } };
    });
    sent += readings.length;
    for (const { values } of readings) total += values.AI1;
    const { status } = await fetch(`${baseURL}${path}`, { method: "POST", body: JSON.stringify(readings) });
    if (status !== 200) throw new Error(`Past readings were answered ${status}`);
  };
  const turns = Math.ceil(messages / nodes.length / rounds);
  return inDatabaseAt(url, async (database) => {
    for (let round = 0; round < rounds; round++) {
      for (let turn = 0; turn < turns; turn++) await Promise.all(nodes.map(send));
      for (const end = Date.now() + patience; Date.now() < end; await sleep(1_000))
        if ((await database.query<{ rows: number }>(unpacked, [deviceId])).rows[0]?.rows === 0) break;
    }
    const { rows } = await database.query<{ readings: number; total: number; packed: number }>(packed, [channels.AI1]);
    const found = rows[0] ?? { readings: 0, total: 0, packed: 0 };
    return {
      promise: "Hours that all nodes get late readings for keep each of them when they are packed",
      counted: `${count(found.readings, "of")} ${count(sent, "readings")}; their sum ${found.total === total && found.packed === total ? "is right" : `is ${found.total} and ${found.packed} instead of ${total}`}`,
      isKept: found.readings === sent && found.total === total && found.packed === total,
    };
  });
};
