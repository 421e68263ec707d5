import { topics } from "@telltale/contract/device-api";
import { expect, test } from "vitest";
import { createConnection } from "../device/connection.ts";
import { createSimulation } from "../simulation.ts";
import { startTestBroker } from "../test-broker.ts";
import { aFleet } from "../test-fleet.ts";
import { historyPace, writeHistory } from "./write.ts";

type Moments = { ts: number; values: Record<string, number> }[];

test("history is written once, in order, up to now, in few messages", { timeout: 30_000 }, async () => {
  const broker = await startTestBroker();
  const to = Date.UTC(2026, 2, 4);
  const from = to - 2 * 86_400_000;
  const simulation = createSimulation(aFleet(), { seed: 1, from, pace: historyPace });
  const [own, ...subDevices] = simulation.devices;
  if (!own) throw new Error("The fleet is empty");
  const bounds = { inFlight: 4, memory: 100_000 };
  const station = simulation.station;
  const connection = createConnection({ url: broker.url, own, subDevices, station, bounds, report: () => undefined });
  const result = await writeHistory({
    simulation,
    connections: [connection],
    connectionOf: () => connection,
    until: () => to,
    signal: new AbortController().signal,
  });
  await connection.stop();
  await broker.close();
  const ownMoments = (broker.on(topics.telemetry) as Moments[]).flat();
  const subMoments = (broker.on(topics.gateway.telemetry) as Record<string, Moments>[]).flatMap(Object.values).flat();
  const readings = [...ownMoments, ...(subMoments as Moments)].reduce(
    (sum, { values }) => sum + Object.keys(values).length,
    0,
  );
  expect(readings).toBe(result.readings);
  expect(readings).toBeGreaterThan(15_000);
  const times = ownMoments.map(({ ts }) => ts);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
  expect(times.at(0)).toBeGreaterThanOrEqual(from);
  expect(times.at(-1)).toBeGreaterThan(to - 120_000);
  expect(broker.on(topics.telemetry).length).toBeLessThan(ownMoments.length / 100);
});
