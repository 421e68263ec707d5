import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { createClient } from "@telltale/contract/call/client";
import { httpPath } from "@telltale/contract/device-api";
import { devices } from "@telltale/contract/domains/devices";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { Role } from "@telltale/contract/permissions";
import type { Pool } from "pg";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { type BenchServer, withServer } from "../bench-server.ts";
import { consumptionOf } from "../consumption.ts";
import { count, type Figure, fixed, ratio } from "../figure.ts";
import { middleOf } from "../median.ts";

const minute = 60_000;
const minutesOfYear = 365 * 24 * 60;
/** Minutes of the files with a line a reading: they have as many readings as lines. */
const minutesOfPart = 200_000;
const goal = ">= 200,000 readings/s";
/** Interval of the messages of a device that reports meanwhile, milliseconds. */
const reportEvery = 50;

/** A year ago, at a full hour. */
const from = Math.floor((Date.now() - minutesOfYear * minute) / 3_600_000) * 3_600_000 - 3_600_000;

const sampleOf = (channel: number, n: number): string =>
  channel < 4 ? (8 + 3 * Math.sin(n / 900 + channel)).toFixed(3) : String(Math.floor(n / 613 + channel) % 2);

const timeOf = (n: number): string => new Date(from + n * minute).toISOString();

function* wideLines(codes: readonly string[]): Generator<string> {
  yield `time,${codes.join(",")}\n`;
  for (let n = 0; n < minutesOfYear; n++) yield `${timeOf(n)},${codes.map((_, at) => sampleOf(at, n)).join(",")}\n`;
}

function* longLines(codes: readonly string[], device: string): Generator<string> {
  yield "time,device,channel,value\n";
  for (let n = 0; n < minutesOfPart; n++)
    yield codes.map((code, at) => `${timeOf(n)},${device},${code},${sampleOf(at, n)}\n`).join("");
}

function* protocolLines(codes: readonly string[], device: string): Generator<string> {
  for (let n = 0; n < minutesOfPart; n++) {
    const time = `${from + n * minute}000000`;
    yield codes.map((code, at) => `plc,device=${device} ${code}=${sampleOf(at, n)} ${time}\n`).join("");
  }
}

interface Imported {
  seconds: number;
  outcome: string;
}

/** Runs `telltale import` as from a shell; its start counts, and that it packs what it has stored. */
const runImport = async (apiKey: string, server: BenchServer, words: readonly string[]): Promise<Imported> => {
  const began = performance.now();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["server/src/operator/main.ts", "import", ...words, "--url", server.baseURL],
    { env: { ...process.env, TELLTALE_KEY: apiKey } },
  );
  return { seconds: (performance.now() - began) / 1000, outcome: stdout.trim() };
};

/** How long a device's messages wait for their commit while `work` is under way; the median, milliseconds. */
const waitOfDevice = async <T>(server: BenchServer, work: () => Promise<T>): Promise<{ result: T; wait: number }> => {
  const [, reporting] = server.devices;
  const address = `${server.baseURL}${httpPath(reporting?.token ?? "", "telemetry")}`;
  const waits: number[] = [];
  let isOver = false;
  const report = async (): Promise<void> => {
    while (!isOver) {
      const began = performance.now();
      const body = JSON.stringify({ AI1: Math.random() * 10 });
      const answer = await fetch(address, { method: "POST", body, headers: { "content-type": "application/json" } });
      if (!answer.ok) throw new Error(`A device's message was answered with ${answer.status}`);
      waits.push(performance.now() - began);
      await pause(reportEvery);
    }
  };
  const reporter = report();
  const result = await work().finally(() => {
    isOver = true;
  });
  await reporter;
  return { result, wait: middleOf(waits) };
};

const figureOf = (name: string, readings: number, { seconds, outcome }: Imported): Figure => {
  if (!outcome.startsWith(`${readings.toLocaleString("en-US")} readings read`))
    throw new Error(`The import ended otherwise: ${outcome}`);
  return { name, goal, measured: count(readings / seconds, "readings/s"), baseline: "", ratio: "" };
};

const measured = async (server: BenchServer, pool: Pool, folder: string): Promise<Figure[]> => {
  const { token } = await server.signIn();
  const owner = createClient({ baseUrl: server.baseURL, token: () => token });
  const wanted = { keyName: "Import", roleType: Role.deviceManager, readOnly: 0, days: 30 } as const;
  const { apiKey } = await owner(apiKeys.add, wanted);
  const { data } = await owner(devices.list);
  const [wide, , long, protocol] = data.map(({ deviceSnId }) => deviceSnId);
  const codes = server.devices[0]?.codes ?? [];
  const files = { wide: join(folder, "wide.csv"), long: join(folder, "long.csv"), protocol: join(folder, "export.lp") };
  await pipeline(Readable.from(wideLines(codes)), createWriteStream(files.wide));
  await pipeline(Readable.from(longLines(codes, long ?? "")), createWriteStream(files.long));
  await pipeline(Readable.from(protocolLines(codes, protocol ?? "")), createWriteStream(files.protocol));
  const [all, part] = [minutesOfYear * codes.length, minutesOfPart * codes.length];
  const quiet = await waitOfDevice(server, () => pause(10_000));
  const before = await consumptionOf(pool, server.pid());
  const year = await waitOfDevice(server, () => runImport(apiKey, server, [files.wide, "--device", wide ?? ""]));
  const after = await consumptionOf(pool, server.pid());
  const again = await runImport(apiKey, server, [files.wide, "--device", wide ?? ""]);
  const readings = await runImport(apiKey, server, [files.long]);
  const lines = await runImport(apiKey, server, [files.protocol, "--format", "influx"]);
  const wideName = `CSV with a column a channel, a year of ${codes.length} channels by the minute, ${count(all, "readings")}`;
  return [
    figureOf(wideName, all, year.result),
    { ...figureOf("the same file again: all are there already", all, again), goal: "" },
    figureOf(`CSV with a line a reading, ${count(part, "readings")}`, part, readings),
    figureOf(`line protocol with a line a reading, ${count(part, "readings")}`, part, lines),
    {
      name: "processor time of the server for a reading, until it is packed",
      goal: "",
      measured: fixed(((after.server - before.server) / all) * 1e6, 2, "µs"),
      baseline: `of the database: ${fixed(((after.postgres - before.postgres) / all) * 1e6, 2, "µs")}`,
      ratio: "",
    },
    {
      name: "a device's message meanwhile, until it is acknowledged; the median",
      goal: "<= 100 ms",
      measured: fixed(year.wait, 1, "ms"),
      baseline: `without an import: ${fixed(quiet.wait, 1, "ms")}`,
      ratio: ratio(year.wait, quiet.wait),
    },
  ];
};

/** Imports files of past readings by the command, with its start and the look through the file, while a device reports. */
export const imported = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-bench-import-"));
  try {
    return await withDatabaseUrl((url) =>
      withServer(4, (server) => withPool(url, (pool) => measured(server, pool, folder)), { DATABASE_URL: url }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
};
