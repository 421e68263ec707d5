import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../database/test-database.ts";

const source = join(import.meta.dirname, "../..");
const operate = join(source, "../../docs/operate");

let database: TestDatabase;
let server: ReturnType<typeof spawn>;
let metrics: string;
let dataDir: string;

/** The real program, because its metrics are what an operator gets. */
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "telltale-metrics-"));
  const free = { PORT: "0", MQTT_PORT: "0", HOST: "127.0.0.1", MQTT_HOST: "127.0.0.1", TELLTALE_DEMO: "0" };
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, DATA_DIR: dataDir, ...free };
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(source, "main.ts")], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  server = child;
  let output = "";
  for await (const part of child.stdout.setEncoding("utf8")) {
    output += part;
    if (/http:\/\/localhost:\d+/.test(output)) break;
  }
  const address = /http:\/\/localhost:\d+/.exec(output)?.[0].replace("localhost", "127.0.0.1");
  await fetch(`${address}/api/site/nothing`);
  metrics = await (await fetch(`${address}/metrics`)).text();
});
afterAll(async () => {
  server.kill("SIGTERM");
  await once(server, "exit");
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Names that queries use, without what Prometheus appends to a histogram's. */
const namesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:telltale|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/(?<=_seconds)_(?:bucket|count|sum)$/, ""),
    ),
  ),
];
const offered = () => new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));

test.each(["grafana-dashboard.json", "prometheus-rules.yml"])("%s asks for metrics that exist", async (file) => {
  const used = namesIn(await readFile(join(operate, file), "utf8"));
  expect(used.length).toBeGreaterThan(8);
  expect(used.filter((name) => !offered().has(name))).toEqual([]);
});

test("the dashboard shows every metric of Telltale's own", async () => {
  const used = new Set(namesIn(await readFile(join(operate, "grafana-dashboard.json"), "utf8")));
  expect([...offered()].filter((name) => name?.startsWith("telltale_") && !used.has(name))).toEqual([]);
});

/** Names of the guide's table, by whether a figure is a node's own, the whole database's or at one node only. */
const guideScopes = async (): Promise<Map<string, string>> => {
  const guide = await readFile(join(operate, "README.md"), "utf8");
  const rows = guide.matchAll(/^\| (`telltale_[^|]+) \| (node|database|one node) \|/gm);
  return new Map([...rows].flatMap(([, names = "", scope = ""]) => namesIn(names).map((name) => [name, scope])));
};

test("the guide says of every metric whether it is a node's own or the same at every node", async () => {
  const scopes = await guideScopes();
  expect([...offered()].filter((name) => name?.startsWith("telltale_") && !scopes.has(name))).toEqual([]);
});

test.each(["grafana-dashboard.json", "prometheus-rules.yml"])(
  "%s adds up what nodes count, and takes what is the same at every node once",
  async (file) => {
    const text = await readFile(join(operate, file), "utf8");
    const ofDatabase = [...(await guideScopes())].filter(([, scope]) => scope === "database").map(([name]) => name);
    expect(ofDatabase).toContain("telltale_devices");
    /** What stands before each of these, where it does not end as it has to. */
    const others = (wanted: string, end: RegExp) =>
      [...text.matchAll(new RegExp(`(.*?)\\b(?:${wanted})\\b`, "g"))].filter(([, before = ""]) => !end.test(before));
    expect(others(ofDatabase.join("|"), /max(?: by \([\w, ]+\) )?\($/)).toEqual([]);
    expect(others("(?:rate|increase)\\(telltale_\\w+", /sum(?: by \([\w, ]+\) )?\($/)).toEqual([]);
  },
);

test("the rule about stuck jobs names jobs that exist, by the label that Prometheus gives them", async () => {
  const rules = await readFile(join(operate, "prometheus-rules.yml"), "utf8");
  const asked = [...rules.matchAll(/exported_job=~?"([^"]+)"/g)].flatMap(([, jobs = ""]) => jobs.split("|"));
  expect(asked).toContain("packing");
  const jobs = new Set([...metrics.matchAll(/^telltale_job_failures_total\{job="([^"]+)"\}/gm)].map(([, job]) => job));
  expect(asked.filter((job) => !jobs.has(job))).toEqual([]);
});

test("the most important figures exist", () => {
  for (const line of [
    /^telltale_database_up 1$/m,
    /^telltale_database_size_bytes [1-9]/m,
    /^telltale_data_disk_free_bytes [1-9]/m,
    /^telltale_outbox_waiting\{kind="mail"\} 0$/m,
    /^telltale_outbox_oldest_seconds\{kind="sms"\} 0$/m,
    /^telltale_oldest_waiting_seconds 0$/m,
    /^telltale_alerts_open 0$/m,
    /^telltale_database_connections\{state="used"\} \d/m,
    /^telltale_http_request_duration_seconds_count\{method="GET",route="none",status="200"\} 1$/m,
    /^telltale_job_failures_total\{job="packing"\} 0$/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
  ])
    expect(metrics).toMatch(line);
});
