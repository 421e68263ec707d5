import { mkdtemp, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@telltale/contract/call/client";
import { devices } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import { expect, test } from "./harness.ts";
import { clientOf, emailOf } from "./people.ts";
import { startPublisher } from "./publisher.ts";
import { type RunningServer, startServer } from "./server-process.ts";
import { stored } from "./stored-readings.ts";
import { addUnit, connectUnit, idsOf, publish, type Unit } from "./unit.ts";

test.describe.configure({ timeout: 480_000 });

let folder: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "telltale-backup-"));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

const withServer = async (demo: boolean, run: (server: RunningServer) => Promise<void>): Promise<void> => {
  const server = await startServer({ demo });
  try {
    await run(server);
  } finally {
    await server.stop();
  }
};

/**
 * The chart lines of all channels of the plant's first device over two hours of the day before: packed or not, a chart contains all their readings.
 */
const charts = async (client: Client, now: number) => {
  const range = { startTime: new Date(now - 26 * 3_600_000), endTime: new Date(now - 24 * 3_600_000) };
  const { data } = await client(devices.list, { size: 1 });
  const { channels } = await idsOf(client, data[0]?.deviceSnId ?? "");
  const lines: unknown[] = [];
  for (const channelId of Object.values(channels)) {
    const periods = await client(history.periods, { channelId, ...range });
    for (const { logGroupId } of periods.data) lines.push(await client(history.chart, { logId: logGroupId, ...range }));
  }
  expect(lines.length).toBeGreaterThan(3);
  return lines;
};

const errorOf = async (server: RunningServer, ...command: string[]): Promise<string> =>
  server.telltale(...command).then(
    () => "",
    (fault: { stderr: string }) => fault.stderr,
  );

/** The numbers of this unit's stored messages. */
const numbersOf = async (client: Client, unit: Unit): Promise<Set<number>> => {
  const { channels } = await idsOf(client, unit.deviceSnId);
  const { readings } = await stored(client, channels.AI1 ?? 0);
  return new Set(readings.map(({ value }) => Math.round(value * 1000)));
};

const untilItAnswers = (server: RunningServer) =>
  expect
    .poll(
      () =>
        fetch(`${server.baseURL}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(200);

test("a backup made under load contains everything acknowledged before, and another server continues with it", async () => {
  const file = join(folder, "busy.telltale");
  await withServer(true, async (server) => {
    const unit = await addUnit(server, { name: "Busy" });
    const since = Date.now();
    const publisher = await startPublisher(server, unit, (n) => ({ ts: since + n, values: { AI1: n / 1000 } }));
    await publisher.until(300);
    const owner = await clientOf(server);
    // The other server runs without the demonstration, and therefore without its users.
    const [email, ownPassword] = ["engineer@riverside.example", "a phrase of her own"];
    const role = ["--plant-of", emailOf("owner"), "--role", "admin"];
    await server.telltale("users", "add", "--email", email, "--password", ownPassword, ...role);
    const acknowledged = [...publisher.acknowledged];
    const lines = await charts(owner, since);
    const [made] = await server.telltale<{ rows: number; files: number }[]>("backup", file);
    expect(made?.rows).toBeGreaterThan(500);
    expect(made?.files).toBeGreaterThan(0);
    await publisher.finish();
    expect(publisher.acknowledged.size, "devices went on publishing").toBeGreaterThan(acknowledged.length);

    await withServer(false, async (fresh) => {
      await fresh.telltale("restore", file);
      await untilItAnswers(fresh);
      const restored = await clientOf(fresh, email, ownPassword);
      const numbers = await numbersOf(restored, unit);
      expect(acknowledged.filter((n) => !numbers.has(n))).toEqual([]);
      expect(await charts(restored, since)).toEqual(lines);
      const device = await connectUnit(fresh, unit);
      await publish(device, { ts: since + 3_600_000, values: { AI1: 77 } });
      await device.endAsync();
      expect(await numbersOf(restored, unit)).toContain(77_000);
    });
  });
});

test("a running server stops for a restore, continues with its data, and all users sign in again", async () => {
  await withServer(true, async (server) => {
    const file = join(folder, "past.telltale");
    await server.telltale("backup", file);
    expect(await errorOf(server, "backup", file)).toContain("exists: remove it, or choose another name");
    const later = await addUnit(server, { name: "Made later" });
    const before = await clientOf(server);
    const device = await connectUnit(server, later);
    await publish(device, { AI1: 1 });
    await server.telltale("restore", file);
    await untilItAnswers(server);
    await expect(before(devices.list)).rejects.toMatchObject({ code: 401 });
    const { data } = await (await clientOf(server))(devices.list, { deviceSnId: later.deviceSnId });
    expect(data).toEqual([]);
    await expect(connectUnit(server, later, { reconnectPeriod: 0 })).rejects.toThrow();
    await device.endAsync(true);
    expect(server.output()).toContain("The server is running again");
  });
});

test("an incomplete backup file is refused with a message and changes nothing", async () => {
  await withServer(true, async (server) => {
    const file = join(folder, "whole.telltale");
    await server.telltale("backup", file);
    const bytes = await readFile(file);
    const spoil = async (name: string, change: (path: string) => Promise<unknown>): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      await change(path);
      return errorOf(server, "restore", path);
    };
    const flip = async (path: string): Promise<void> => {
      const handle = await open(path, "r+");
      const at = Math.floor(bytes.length / 2);
      await handle.write(Buffer.from([(bytes[at] ?? 0) ^ 0xff]), 0, 1, at);
      await handle.close();
    };
    expect(await spoil("cut", (path) => truncate(path, bytes.length - 1000))).toContain("or its end is missing");
    expect(await spoil("flipped", flip)).toContain("is damaged");
    expect(await spoil("foreign", (path) => truncate(path, 0))).toContain("is no backup of Telltale");
    expect(await errorOf(server, "restore", join(folder, "nothing"))).toContain("There is no file");
    expect(server.output()).not.toContain("the server stops serving");
    expect((await (await clientOf(server))(devices.list)).data.length).toBeGreaterThan(0);
  });
});
