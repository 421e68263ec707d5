import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../platform/installed.ts";
import { testCertificate, testKey } from "../test/test-certificate.ts";
import { aDevice } from "../test/test-devices.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { writeReadings } from "../test/test-readings.ts";
import { openTestSqlAccess, type TestSqlAccess } from "../test/test-sql-users.ts";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import type { Operator } from "./open.ts";
import { createSqlUser, dropSqlUser, showSqlUsers } from "./sql-users.ts";

let world: TestWorld;
let access: TestSqlAccess;
let operator: Operator;
let owner: Person;
let sql: pg.Client;
let ids: { device: number; channel: number };

const [from, to] = [Date.UTC(2026, 4, 4, 6), Date.UTC(2026, 4, 4, 8)];
const plantOf = (person: Person): string => `Plant of ${person.email}`;
const enter = async (name: string, of = owner) => {
  const [made] = await createSqlUser(operator, name, { plant: plantOf(of), by: "Olaf" });
  return access.enter(name, String(made?.password), { ssl: { rejectUnauthorized: false } });
};

beforeAll(async () => {
  world = await createTestWorld();
  access = await openTestSqlAccess(world, { tls: { cert: testCertificate, key: testKey } });
  operator = { ...world, dataDir: tmpdir(), place: access.place };
  owner = await anOwner(world);
  const device = await aDevice(world, owner, { name: "Pump house 2" });
  ids = { device: device.deviceId, channel: Number(device.channels.AI1) };
  await writeReadings(world, ids.channel, [
    [from + 60_000, 4.2],
    [from + 120_000, 4.8],
  ]);
  sql = await enter("grafana");
});
afterAll(() => access.close());

test("the password that `sql-user add` prints opens an encrypted session", async () => {
  const { rows } = await sql.query("SELECT name FROM devices");
  expect(rows).toEqual([{ name: "Pump house 2" }]);
});

test("an encrypted session carries large answers whole", async () => {
  const later = to + 60_000;
  const many = Array.from({ length: 50_000 }, (_, n) => [later + n * 1_000, n] as const);
  await writeReadings(world, ids.channel, many);
  const { rows } = await sql.query("SELECT value FROM telltale_readings($1, $2, $3) ORDER BY time", [
    ids.channel,
    new Date(later),
    new Date(later + 50_000_000),
  ]);
  expect(rows.map(({ value }) => value)).toEqual(many.map(([, value]) => value));
});

test("a user is of one plant, and says which", async () => {
  await enter("of_another", await anOwner(world));
  const rows = await showSqlUsers(operator);
  expect(rows.find(({ name }) => name === "grafana")).toMatchObject({ plant: plantOf(owner), createdBy: "Olaf" });
  expect(rows.find(({ name }) => name === "of_another")).not.toMatchObject({ plant: plantOf(owner) });
});

test("what is wrong with a name or a plant is said", async () => {
  const add = (name: string, more: object) => createSqlUser(operator, name, { plant: "", by: "Olaf", ...more });
  await expect(add("mine", { plant: "Nowhere" })).rejects.toThrow("There is no plant Nowhere");
  await expect(add("grafana", { plant: plantOf(owner) })).rejects.toThrow("has a role grafana already");
  await expect(add("My User", { plant: plantOf(owner) })).rejects.toThrow("use 3 to 41 small letters");
  await expect(dropSqlUser(operator, "nobody_there", "Olaf")).rejects.toThrow("There is no SQL user nobody_there");
});

test("both are in the audit log, without the password", async () => {
  await enter("short_lived");
  expect(await dropSqlUser(operator, "short_lived", "Olaf")).toEqual([{ user: "short_lived", status: "removed" }]);
  const entries = await world.db.selectFrom("audit_log").select(["action", "detail"]).execute();
  expect(entries.slice(-2)).toEqual([
    { action: "sqlUser.add", detail: { name: "short_lived", madeBy: "Olaf" } },
    { action: "sqlUser.remove", detail: { name: "short_lived", madeBy: "Olaf" } },
  ]);
});

/** A query of Grafana with its macros and variables as Grafana replaces them. */
const replaced = (query: string): string =>
  Object.entries({
    "$__timeFrom()": `'${new Date(from).toISOString()}'`,
    "$__timeTo()": `'${new Date(to).toISOString()}'`,
    $__interval_ms: "15000",
    $__from: String(from),
    $__to: String(to),
    $device: String(ids.device),
    $channel: String(ids.channel),
  }).reduce((text, [macro, value]) => text.replaceAll(macro, value), query);

test("the dashboard for Grafana asks for what there is", async () => {
  const file = await readFile(join(root, "docs/operate/grafana-sql-dashboard.json"), "utf8");
  const { panels, templating } = JSON.parse(file);
  const variables = templating.list.filter(({ type }: { type: string }) => type === "query");
  const answers = new Map<string, unknown[]>();
  for (const { name, query } of variables) answers.set(name, (await sql.query(replaced(query))).rows);
  for (const { title, targets } of panels)
    for (const { rawSql } of targets) answers.set(title, (await sql.query(replaced(rawSql))).rows);
  expect(answers.get("device")).toEqual([{ __text: "Pump house 2", __value: ids.device }]);
  expect(answers.get("channel")).toContainEqual({ __text: expect.stringContaining("AI1"), __value: ids.channel });
  expect(answers.get("Channel")).toEqual([
    { time: new Date(from + 60_000), min: 4.2, avg: 4.2, max: 4.2 },
    { time: new Date(from + 120_000), min: 4.8, avg: 4.8, max: 4.8 },
  ]);
  expect(answers.get("Alerts")).toEqual([]);
});

test("the examples of the documentation work", async () => {
  const text = await readFile(join(root, "docs/operate/sql.md"), "utf8");
  const examples = [...text.matchAll(/```sql\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split(";"));
  for (const example of examples.filter((each) => each.trim() !== ""))
    await expect(sql.query(example)).resolves.toBeDefined();
  expect(examples.length).toBeGreaterThan(2);
});
