import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createLoad } from "../../simulator/src/load/create-load.ts";
import type { LoadDevice } from "../../simulator/src/load/publisher.ts";
import type { LoadStats } from "../../simulator/src/load/run.ts";
import { withDatabaseUrl } from "../bench-database.ts";
import { type BenchServer, withServer } from "../bench-server.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";

const readingsPerMessage = 10;
const connections = 50;
const inFlight = 100;

/** Runs a load as fast as it is acknowledged; excludes the first seconds, in which JIT and caches warm up. */
const measure = async (
  port: number,
  devices: LoadDevice[],
  seconds: number,
): Promise<LoadStats & { perSecond: number }> => {
  const load = createLoad({ host: "127.0.0.1", port, devices, readingsPerMessage, inFlight });
  await load.start();
  await sleep(3_000);
  const before = await load.stats();
  await sleep(seconds * 1_000);
  const after = await load.stats();
  await load.stop();
  return {
    ...after,
    perSecond: (after.acknowledgedReadings - before.acknowledgedReadings) / (after.seconds - before.seconds),
  };
};

const bare = (devices: LoadDevice[], seconds: number) =>
  withDatabaseUrl(async (url) => {
    const child = fork(new URL("./bare-broker.ts", import.meta.url), { env: { ...process.env, DATABASE_URL: url } });
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    try {
      return await measure(port, devices, seconds);
    } finally {
      child.disconnect();
    }
  });

interface Memory {
  idle: number;
  /** Memory in megabytes, sampled at equal intervals under load. */
  loaded: number[];
}

const watchMemory = async (server: BenchServer, samples: number, every: number): Promise<number[]> => {
  const seen: number[] = [];
  for (let at = 0; at < samples; at++) {
    await sleep(every);
    seen.push(await server.residentMemory());
  }
  return seen;
};

/** Time for the server to release the memory of its start and of creating the devices, milliseconds. */
const toRest = 45_000;

const own = (seconds: number) =>
  withServer(connections, async (server) => {
    await sleep(toRest);
    const idle = await server.residentMemory();
    const [stats, loaded] = await Promise.all([
      measure(server.mqttPort, server.devices, seconds),
      watchMemory(server, 10, (seconds * 1000) / 10),
    ]);
    return { stats, memory: { idle, loaded } satisfies Memory, devices: server.devices };
  });

/** Memory at the end of the second and of the last third, so that warm-up does not look like a leak. */
const growth = (loaded: readonly number[]): { middle: number; end: number } => {
  const largest = (part: readonly number[]) => Math.max(...part);
  const third = Math.ceil(loaded.length / 3);
  return { middle: largest(loaded.slice(third, 2 * third)), end: largest(loaded.slice(2 * third)) };
};

/** Readings per second over MQTT QoS 1, acknowledged after the commit, with alarms, latest values and live socket; and the memory used. */
export const ingest = async (seconds: number): Promise<Figure[]> => {
  const { stats, memory, devices } = await own(seconds);
  const compared = await bare(devices, Math.min(seconds, 20));
  const { middle, end } = growth(memory.loaded);
  return [
    {
      name: `MQTT QoS 1, ${readingsPerMessage} readings a message, ${connections} connections`,
      goal: ">= 100,000/s, >= 0.8 of bare",
      measured: count(stats.perSecond, "readings/s"),
      baseline: `bare aedes + unnest: ${count(compared.perSecond, "readings/s")}`,
      ratio: ratio(stats.perSecond, compared.perSecond),
    },
    {
      name: "publish → PUBACK at that load, p50 / p99",
      goal: "",
      measured: `${fixed(stats.p50, 0, "ms")} / ${fixed(stats.p99, 0, "ms")}`,
      baseline: `bare: ${fixed(compared.p50, 0, "ms")} / ${fixed(compared.p99, 0, "ms")}`,
      ratio: ratio(stats.p99, compared.p99),
    },
    {
      name: "server's resident memory, idle",
      goal: "<= 150 MB",
      measured: fixed(memory.idle, 0, "MB"),
      baseline: "",
      ratio: "",
    },
    {
      name: `server's resident memory after ${seconds} s of full load`,
      goal: "not growing",
      measured: fixed(end, 0, "MB"),
      baseline: `highest of the middle third: ${fixed(middle, 0, "MB")}`,
      ratio: ratio(end, middle),
    },
  ];
};
