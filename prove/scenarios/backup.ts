import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@telltale/contract/call/client";
import { topics } from "@telltale/contract/device-api";
import { history } from "@telltale/contract/domains/readings/history";
import { clientOf } from "../../e2e/people.ts";
import { startPublisher } from "../../e2e/publisher.ts";
import { type RunningServer, startServer } from "../../e2e/server-process.ts";
import { addUnit, connectUnit, idsOf, type Unit } from "../../e2e/unit.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";

const owner = "keeper@example.com";
const secret = "as long as it lasts";
/** Channels per unit. */
const inputs = 4;
/** Samples per message: with 4 values each about 30 kB. */
const perMessage = 400;
const atOnce = 8;
const second = 1_000;

/** Sends a unit's history: one sample per second up to an hour ago. */
const sendPast = async (server: RunningServer, unit: Unit, seconds: number, end: number): Promise<void> => {
  const client = await connectUnit(server, unit);
  const codes = Array.from({ length: inputs }, (_, i) => `AI${i + 1}`);
  const rowAt = (n: number) => ({
    ts: end - (seconds - n) * second,
    values: Object.fromEntries(
      codes.map((code, i) => [code, Math.round(500 + 400 * Math.sin((n + i * 97) / 600)) / 10]),
    ),
  });
  for (let n = 0; n < seconds; n += perMessage * atOnce) {
    const messages = Array.from({ length: atOnce }, (_, m) => n + m * perMessage).filter((from) => from < seconds);
    await Promise.all(
      messages.map((from) => {
        const rows = Array.from({ length: Math.min(perMessage, seconds - from) }, (_, i) => rowAt(from + i));
        return client.publishAsync(topics.telemetry, JSON.stringify(rows), { qos: 1 });
      }),
    );
  }
  await client.endAsync();
};

/** Peak memory (kB) of the process whose command line contains this word, sampled until `isOver`. */
const peakOf = async (word: string, isOver: () => boolean): Promise<number> => {
  let peak = 0;
  while (!isOver()) {
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (!command.includes("operator/main.ts") || !command.includes(word)) continue;
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return peak;
};

const measured = async (server: RunningServer, command: "backup" | "restore", file: string) => {
  let isOver = false;
  const began = performance.now();
  const watching = peakOf(file, () => isOver);
  const [row] = await server.telltale<{ rows: number; bytes: number }[]>(command, file).finally(() => {
    isOver = true;
  });
  const seconds = (performance.now() - began) / 1000;
  return { rows: row?.rows ?? 0, seconds, megabytes: Math.round((await watching) / 1024) };
};

/** Readings that the charts of all channels count up to a time, and their lines. */
const drawn = async (client: Client, units: readonly Unit[], endTime: Date) => {
  let readings = 0;
  const extremes: unknown[] = [];
  for (const unit of units)
    for (const channelId of Object.values((await idsOf(client, unit.deviceSnId)).channels)) {
      const { data } = await client(history.periods, { channelId });
      for (const { logGroupId } of data) {
        const chart = await client(history.chart, { logId: logGroupId, endTime });
        readings += chart.count;
        extremes.push([channelId, chart.count, Math.min(...chart.dataYs), Math.max(...chart.dataYs)]);
      }
    }
  return { readings, extremes: JSON.stringify(extremes) };
};

const untilReady = async ({ baseURL }: RunningServer): Promise<void> => {
  while (
    !(await fetch(`${baseURL}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 100));
};

const seconds = (value: number): string => `${value.toFixed(1)} s`;

const tryBackup = async (
  server: RunningServer,
  fresh: RunningServer,
  file: string,
  wanted: number,
): Promise<Finding[]> => {
  await server.telltale("users", "add", "--email", owner, "--password", secret, "--owner");
  const units: Unit[] = [];
  for (let n = 1; n <= 10; n++) units.push(await addUnit(server, { owner, name: `Unit ${n}` }));
  const end = Date.now() - 3_600_000;
  const each = Math.ceil(wanted / units.length / inputs);
  await Promise.all(units.map((unit) => sendPast(server, unit, each, end)));
  const runFault = await addUnit(server, { owner, name: "Live" });
  const since = Date.now();
  const publisher = await startPublisher(server, runFault, (n) => ({ ts: since + n, values: { AI1: (n % 900) / 10 } }));
  await publisher.until(200);
  const acknowledged = publisher.acknowledged.size;
  const before = await drawn(await clientOf(server, owner, secret), units, new Date(end));
  const backup = await measured(server, "backup", file);
  await publisher.finish();
  const { size } = await stat(file);
  const restore = await measured(fresh, "restore", file);
  await untilReady(fresh);
  const client = await clientOf(fresh, owner, secret);
  const after = await drawn(client, units, new Date(end));
  const liveThere = (await drawn(client, [runFault], new Date(since + 86_400_000))).readings;
  const expected = each * inputs * units.length;
  return [
    {
      promise: "A backup is made while devices publish, in bounded memory",
      counted: `${count(before.readings, "readings")}, ${count(backup.rows, "rows")} in ${seconds(backup.seconds)}; ${count(size / 1e6, "MB")}; memory of the command ${backup.megabytes} MB; during it ${count(publisher.acknowledged.size - acknowledged, "messages")} acknowledged`,
      isKept: backup.megabytes < 400 && publisher.acknowledged.size > acknowledged,
    },
    {
      promise:
        "A restore into a running server contains all readings acknowledged before the backup, and charts are unchanged",
      counted: `${count(after.readings, "readings")} of ${count(expected, "readings")} in ${seconds(restore.seconds)}; memory of the command ${restore.megabytes} MB; ${count(liveThere, "live readings")} of at least ${acknowledged}`,
      isKept:
        after.readings === expected &&
        after.extremes === before.extremes &&
        liveThere >= acknowledged &&
        restore.megabytes < 400,
    },
  ];
};

/** Backup under load and restore into another server, at size. */
export const backupScenario: Scenario = {
  title: "Backup and restore",
  does: "Ten units with 20 million past readings, and one that keeps publishing; `telltale backup` while the server runs, `telltale restore` into another running server.",
  run: async (scale) => {
    const folder = await mkdtemp(join(tmpdir(), "telltale-backup-"));
    const server = await startServer({ demo: false });
    try {
      const fresh = await startServer({ demo: false });
      try {
        return await tryBackup(server, fresh, join(folder, "all.zip"), scaled(20_000_000, scale));
      } finally {
        await fresh.stop();
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
