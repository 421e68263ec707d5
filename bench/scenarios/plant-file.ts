import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@telltale/contract/call/client";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { Role } from "@telltale/contract/permissions";
import type { Pool } from "pg";
import { withDatabaseUrl, withPool } from "../bench-database.ts";
import { type BenchServer, withServer } from "../bench-server.ts";
import { consumptionOf } from "../consumption.ts";
import { type Figure, fixed } from "../figure.ts";

const root = join(import.meta.dirname, "../..");
/** Stations with a motor controller each. */
const stations = 500;

interface Unit {
  deviceSnId: string;
}

const units = async (server: BenchServer, model: string): Promise<string[]> => {
  const made = await server.telltale<Unit[]>("devices", "add", "--model", model, "--count", String(stations));
  return made.map(({ deviceSnId }) => deviceSnId);
};

const input = (name: string, alarm: number) => ({
  name,
  on: true,
  settings: { ZERO: 0, SPAN: 160, "Higher Alarm": alarm, "Higher Alarm Hysteresis": 1, "Higher Alarm Delay": 5 },
});

const alert = (channel: string, value: number) => ({
  ...{ channel, type: "high", value, hysteresis: 1, priority: "P2", response: "Look at the pump", onDelay: 10 },
  notify: ["nora@example.test"],
  plan: "Pumps",
});

/** A file of a thousand devices: half have channels with settings and two alerts, half are motor controllers with a group and an alert. */
const fileOf = (mixed: readonly string[], motors: readonly string[]) => {
  const devices: Record<string, unknown> = {};
  for (const [n, id] of mixed.entries()) {
    const channels = Object.fromEntries(
      ["AI1", "AI2", "AI3", "AI4"].map((code) => [code, input(`${code} of ${n}`, 70)]),
    );
    const alerts = { "Pressure high": alert("AI1", 60), "Flow high": alert("AI3", 50) };
    devices[`Station ${n}`] = { id, offlineAfter: 20, channels, alerts };
  }
  for (const [n, id] of motors.entries()) {
    const groups = { Currents: { channels: ["I A", "I B", "I C"] } };
    const alerts = { "Current high": alert("I A", 30) };
    devices[`Motor ${n}`] = { id, master: `Station ${n}`, offlineAfter: 20, groups, alerts };
  }
  const steps = [
    { after: 0, notify: ["managers"] },
    { after: 15, notify: [{ contact: "nora@example.test" }] },
  ];
  return {
    contacts: { "nora@example.test": { firstName: "Nora", lastName: "Quist" } },
    plans: { Pumps: { steps } },
    devices,
  };
};

interface Run {
  seconds: number;
  /** Processor time of server and database meanwhile. */
  processor: number;
}

/** Runs a command from its start to its end; throws when it prints something else than expected. */
const timed = async (pool: Pool, server: BenchServer, args: readonly string[], expected: RegExp): Promise<Run> => {
  const before = await consumptionOf(pool, server.pid());
  const start = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, ["server/src/operator/main.ts", ...args], {
    cwd: root,
  });
  const seconds = (performance.now() - start) / 1000;
  if (!expected.test(stdout)) throw new Error(`The command printed: ${stdout.slice(-2_000)}`);
  const after = await consumptionOf(pool, server.pid());
  return { seconds, processor: after.server - before.server + after.postgres - before.postgres };
};

const measured = async (pool: Pool, server: BenchServer): Promise<Figure[]> => {
  const { token } = await server.signIn();
  const owner = createClient({ baseUrl: server.baseURL, token: () => token });
  const wanted = { keyName: "Bench", roleType: Role.owner, readOnly: 0, days: 30 } as const;
  process.env.TELLTALE_KEY = (await owner(apiKeys.add, wanted)).apiKey;
  process.env.TELLTALE_URL = server.baseURL;
  const [mixed, motors] = [await units(server, "MIX"), await units(server, "MPA2")];
  const file = join(server.dataDir, "plant.yaml");
  await writeFile(file, JSON.stringify(fileOf(mixed, motors), undefined, 1));
  const figure = (name: string, goal: string, { seconds, processor }: Run): Figure => ({
    ...{ name, goal, measured: fixed(seconds, 1, "s"), ratio: "" },
    baseline: `processor time of server and database: ${fixed(processor, 1, "s")}`,
  });
  const applied = await timed(pool, server, ["apply", file], /^1002 entries of .* changed$/m);
  const planned = await timed(pool, server, ["plan", file], / is as .* says$/m);
  const exported = await timed(pool, server, ["export", join(server.dataDir, "exported.yaml")], /^/);
  return [
    figure("`telltale apply` of 1,000 new devices", "<= 60 s", applied),
    figure("`telltale plan` of the same file afterwards", "", planned),
    figure("`telltale export` of that plant", "", exported),
  ];
};

/** Applies a plant file with a thousand new devices, and plans and exports it, as the commands do. */
export const plantFile = (): Promise<Figure[]> =>
  withDatabaseUrl((url) =>
    withServer(1, (server) => withPool(url, (pool) => measured(pool, server)), { DATABASE_URL: url }),
  );
