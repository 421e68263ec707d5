import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../../e2e/server-process.ts";
import type { Unit } from "../../e2e/unit.ts";
import { databaseUrl } from "../database.ts";
import { runFault } from "../fault.ts";
import type { Finding, Scenario } from "../finding.ts";
import { owner } from "../fleet.ts";
import { startMqttDevice } from "../numbered-device.ts";
import { timedMessage } from "../numbers.ts";
import { postmasterOf, replacePostmaster, signalPostgres, signalPostmaster } from "../postgres-process.ts";
import { startTcpProxy } from "../tcp-proxy.ts";
import { runTrial, type Trial } from "../trial.ts";

/** Terminates PostgreSQL, which the server must restart. SIGTERM waits for its clients, SIGINT disconnects them. */
const restartDatabase = async ({ server, fleet }: Trial): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    await fleet.eachHas(50);
    const began = performance.now();
    await replacePostmaster(server.dataDir, name);
    await fleet.eachHas(50);
    const seconds = (performance.now() - began) / 1000;
    const counted = `every device was acknowledged again ${seconds.toFixed(1)} s later`;
    findings.push({ promise: `PostgreSQL terminated by ${name} is restarted`, counted, isKept: seconds < 60 });
  }
  return findings;
};

const connections = 300;
/** Heap limit of the server, MB; the rest of a Node process comes on top. */
const heap = 256;

/** A frozen database while hundreds of devices keep sending: the server has little memory and must not need more. */
const crowd = async (trial: Trial, lasts: number, inFlight: number): Promise<Finding[]> => {
  const { server } = trial;
  const made = ["--model", "AIS", "--owner", owner.email, "--name", "Crowd", "--count", String(connections)];
  const units = await server.telltale<Omit<Unit, "name">[]>("devices", "add", ...made);
  const since = Date.now();
  const begin = (unit: Omit<Unit, "name">) => {
    const numbers = { since, codes: ["AI1", "AI2", "AI3", "AI4"], occurrenceEvery: 1e9 };
    return startMqttDevice(server, { ...unit, name: unit.deviceSnId }, (n) => timedMessage(numbers, n), inFlight);
  };
  const devices = await Promise.all(units.map(begin));
  const findings = await runFault(trial, {
    name: `Database suspended, ${heap} MB heap`,
    begin: () => signalPostgres(server.dataDir, "SIGSTOP"),
    end: () => signalPostgres(server.dataDir, "SIGCONT"),
    lasts,
    memory: heap + 350,
  });
  await Promise.all(devices.map((device) => device.finish()));
  return findings;
};

/** The embedded PostgreSQL of a killed server, reached through a proxy that delays every statement by a second. */
const slow = async (lasts: number): Promise<Finding[]> => {
  const keeper = await startServer({ demo: false });
  await keeper.kill9();
  const socket = join(keeper.dataDir, "postgres", ".s.PGSQL.5432");
  const proxy = await startTcpProxy({ path: socket });
  const url = await databaseUrl(keeper.dataDir, "127.0.0.1", proxy.port);
  const fault = {
    name: "Database slow",
    begin: async () => proxy.delay(1_000),
    end: async () => proxy.delay(0),
    lasts,
    isReported: ({ text }: { text: string }) => text.includes("slow"),
  };
  try {
    return await runTrial((trial) => runFault(trial, fault), {
      env: { DATABASE_URL: url },
      databaseDir: keeper.dataDir,
    });
  } finally {
    await proxy.stop();
    await signalPostmaster(keeper.dataDir, "SIGINT");
    while ((await postmasterOf(keeper.dataDir)) !== undefined) await sleep(100);
    await keeper.stop();
  }
};

const run = async (scale: number): Promise<Finding[]> => {
  const lasts = Math.max(5_000, 60_000 * scale);
  const env = { NODE_OPTIONS: `--max-old-space-size=${heap}` };
  // At a small scale the machine is shared: what is queued must be written within the 5 s timeout of a device over HTTP.
  const inFlight = Math.max(20, 200 * scale);
  const work = async (trial: Trial) => [...(await restartDatabase(trial)), ...(await crowd(trial, lasts, inFlight))];
  return [...(await runTrial(work, { env })), ...(await slow(lasts))];
};

export const database: Scenario = {
  title: "Database restarted, suspended, slow; little memory",
  does: `Under full load PostgreSQL is terminated twice; then it is suspended for a minute while ${connections} more devices send and the server's heap is limited to ${heap} MB; then every statement is delayed by a second for a minute.`,
  run,
};
