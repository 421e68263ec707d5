import { readFile } from "node:fs/promises";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { channels } from "@telltale/contract/domains/channels";
import { imports as calls } from "@telltale/contract/domains/readings/imports";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aContact } from "../test/test-contacts.ts";
import { aDevice, type TestDevice } from "../test/test-devices.ts";
import { startImports, type TestImports } from "../test/test-imports.ts";
import { aDeviceManager, anOwner, type Person } from "../test/test-people.ts";
import { packRange, writeReadings } from "../test/test-readings.ts";

let imports: TestImports;
let owner: Person;
let pump: TestDevice;

beforeAll(async () => {
  imports = await startImports();
});
beforeEach(async () => {
  owner = await anOwner(imports.world);
  pump = await aDevice(imports.world, owner, { name: "Pump" });
});
afterAll(() => imports.close());

const hour = 3_600_000;
const at = (text: string): number => Date.parse(`2026-01-02T${text}Z`);
const lines = async (device = pump): Promise<string[]> => imports.stored(owner, device.deviceId);
const wide = (rows: string) => imports.file("wide.csv", `time,AI1\n${rows}`);
const runWide = async (rows: string, ...options: string[]) =>
  imports.run(owner, "import", await wide(rows), "--device", "Pump", ...options);
const importsBegun = async (): Promise<number> =>
  (await imports.world.db.selectFrom("imports").selectAll().where("plant_id", "=", owner.plantId).execute()).length;

describe("importing a file again", () => {
  test("stores nothing twice, also what devices sent and what is packed; another value of the time is stored beside", async () => {
    await writeReadings(imports.world, pump.channels.AI1 ?? 0, [[at("03:00:00"), 1]]);
    await packRange(imports.world.pool, at("03:00:00") / hour, at("04:00:00") / hour);
    await writeReadings(imports.world, pump.channels.AI1 ?? 0, [[at("03:00:01"), 2]]);
    const rows = "2026-01-02T03:00:00Z,1\n2026-01-02T03:00:01Z,2\n2026-01-02T03:00:01Z,2.5\n2026-01-02T03:00:02Z,3\n";
    expect((await runWide(rows)).out).toBe("4 readings read: 2 stored, 2 already there, 0 refused\n");
    expect((await runWide(rows)).out).toBe("4 readings read: 0 stored, 4 already there, 0 refused\n");
    expect((await lines()).map((line) => line.split(",")[2])).toEqual(["1", "2", "2.5", "3"]);
  });

  test("counts a reading that is in the file twice as already there", async () => {
    const row = "2026-01-02T03:00:00Z,1\n";
    expect((await runWide(row + row)).out).toBe("2 readings read: 1 stored, 1 already there, 0 refused\n");
  });

  test("brings back what `telltale readings` saved: nothing in the same device, everything in another", async () => {
    const twin = await aDevice(imports.world, owner, { name: "Twin" });
    const readings = Array.from(
      { length: 500 },
      (_, n) => [at("03:00:00") + n * 30_000, Math.sin(n), n % 3 ? 1 : 0] as const,
    );
    await writeReadings(imports.world, pump.channels.AI1 ?? 0, readings);
    await writeReadings(imports.world, pump.channels.AI4 ?? 0, readings.slice(100));
    const file = imports.path("saved.csv");
    await imports.run(owner, "readings", file, "--device", "Pump", "--from", "2026-01-01");
    const again = await imports.run(owner, "import", file, "--device", "Pump");
    expect(again.out).toBe("900 readings read: 0 stored, 900 already there, 0 refused\n");
    const { out } = await imports.run(owner, "import", file, "--device", "Twin");
    expect(out).toBe("900 readings read: 900 stored, 0 already there, 0 refused\n");
    expect(await lines(twin)).toEqual(await lines());
  });
});

describe("imported readings", () => {
  const limit = () => ({
    ...{ alarmName: "High", alarmClass: AlertClass.custom, deviceId: pump.deviceId, type: AlertType.high },
    ...{ deviceChannelId: pump.channels.AI1, alarmValue: 5, alarmHysteresis: 1 },
  });
  const newest = () => imports.as(owner)(channels.value, { deviceChannelId: pump.channels.AI1 ?? 0 });

  test("raise no alert and notify nobody, whatever their values and statuses", async () => {
    await imports.world.db
      .updateTable("devices")
      .set({ is_online: true, last_seen_time: imports.world.clock.date() })
      .where("device_id", "=", pump.deviceId)
      .execute();
    await imports.as(owner)(alarms.add, { ...limit(), notifyUserIds: [await aContact(imports.world, owner)] });
    const file = await imports.file(
      "high.csv",
      "time,channel,value,status\n2026-01-02T03:00:00Z,AI1,9,Alarm\n2026-01-02T03:01:00Z,AI1,10,Alarm\n",
    );
    await imports.run(owner, "import", file, "--device", "Pump");
    const { db } = imports.world;
    expect(await db.selectFrom("alerts").selectAll().where("plant_id", "=", owner.plantId).execute()).toEqual([]);
    expect(await db.selectFrom("outbox").selectAll().where("plant_id", "=", owner.plantId).execute()).toEqual([]);
    expect(await newest()).toMatchObject({ value: 10, status: 1 });
  });

  test("move the newest value forward and never back", async () => {
    await runWide("2026-01-02T03:00:00Z,1\n");
    expect(await newest()).toMatchObject({ value: 1, updateTime: new Date(at("03:00:00")) });
    await runWide("2026-01-01T03:00:00Z,7\n2026-01-02T02:59:59Z,8\n");
    expect(await newest()).toMatchObject({ value: 1, updateTime: new Date(at("03:00:00")) });
  });

  test("may be older than the device", async () => {
    expect((await runWide("2009-05-01T00:00:00Z,1\n")).out).toContain("1 stored");
    expect(await lines()).toHaveLength(1);
  });

  test("are one entry of the audit log, however many portions they take", async () => {
    await runWide(Array.from({ length: 45_000 }, (_, n) => `${at("03:00:00") + n * 1000},${n % 7}\n`).join(""));
    const { data } = await imports.as(owner)(audit.list, { action: "readings.import" });
    expect(data).toMatchObject([{ action: "readings.import", target: "wide.csv" }]);
    expect(await lines()).toHaveLength(45_000);
  });
});

describe("what can't be stored is counted with its line and the reason", () => {
  test("read is stored, already there and refused; the first twenty are printed, the file has all", async () => {
    const ahead = new Date(imports.world.clock.now() + hour).toISOString();
    const bad = Array.from({ length: 25 }, (_, n) => `2026-01-02T03:00:00Z,bad ${n}\n`).join("");
    const errors = imports.path("errors.csv");
    const rows = `2026-01-02T03:00:00Z,1\nyesterday,2\n${ahead},3\n1999-12-31T23:59:59Z,4\n2026-01-02T03:00:00Z,1e16\n${bad}`;
    const { out, err, code } = await runWide(rows, "--errors", errors);
    expect(out).toBe("30 readings read: 1 stored, 0 already there, 29 refused\n");
    expect(code).toBe(1);
    expect(err).toContain('line 3: "yesterday" is no time\n');
    expect(err).toContain('line 7: "bad 0" is no number\n');
    expect(err).toContain(`and 9 more: see ${errors}\n`);
    const all = (await readFile(errors, "utf8")).trimEnd().split("\n");
    expect(all).toHaveLength(30);
    expect(all).toEqual(
      expect.arrayContaining([
        "line,reason",
        "4,its time is in the future",
        "5,its time is before 2000",
        "6,its value is beyond 1000000000000000",
      ]),
    );
  });

  test("readings of hours of which only summaries are kept", async () => {
    const { db } = imports.world;
    const readings_from = new Date(at("04:00:00"));
    await db.updateTable("devices").set({ readings_from }).where("device_id", "=", pump.deviceId).execute();
    const { out, err } = await runWide("2026-01-02T03:59:59Z,1\n2026-01-02T04:00:00Z,2\n");
    expect(out).toContain("1 stored, 0 already there, 1 refused");
    expect(err).toBe("line 2: readings before 2026-01-02T04:00:00.000Z are no longer kept\n");
  });
});

describe("nothing is stored, and it is said why", () => {
  test.each([
    [
      "a column that is no channel",
      "time,AI1,Flow\n2026-01-02T03:00:00Z,1,2\n",
      [],
      "Pump/Flow is not mapped: Pump has no channel Flow; it has AI1, AI2",
    ],
    [
      "a header without a time",
      "when,AI1\n2026-01-02T03:00:00Z,1\n",
      [],
      "no column is called time or timestamp; the columns are when, AI1",
    ],
    [
      "a column of channels without one of values",
      "time,device,channel,wert\n2026-01-02T03:00:00Z,Pump,AI1,1\n",
      [],
      "wrong.csv:1: a column names the channel, and none is called value; the columns are time, device, channel, wert",
    ],
    [
      "times without an offset",
      "time,AI1\n2026-01-02 03:00:00,1\n",
      [],
      "The time 2026-01-02 03:00:00 has no offset from UTC: name its time zone",
    ],
    ["an unknown time zone", "time,AI1\n2026-01-02 03:00:00,1\n", ["--timezone", "Mars"], "There is no time zone Mars"],
    [
      "a device that is not there",
      "time,device,AI1\n2026-01-02T03:00:00Z,Nobody,1\n",
      [],
      "Nobody/AI1 is not mapped: there is no device Nobody",
    ],
    [
      "two series for one channel",
      "time,AI1,x\n2026-01-02T03:00:00Z,1,1\n",
      ["--map", "Pump/x=Pump/AI1"],
      "Pump/AI1 goes to Pump/AI1 already",
    ],
    [
      "a mapping to a device that is not there",
      "time,AI1\n2026-01-02T03:00:00Z,1\n",
      ["--map", "Pump/AI1=Nobody/AI1"],
      "there is no device Nobody",
    ],
  ])("%s", async (_what, text, options, reason) => {
    const file = await imports.file("wrong.csv", text);
    const { err, code } = await imports.run(owner, "import", file, "--device", "Pump", ...options);
    expect(err).toContain(reason);
    expect(code).toBe(1);
    expect(await lines()).toEqual([]);
    expect(await importsBegun()).toBe(0);
  });

  test("a channel that is off, and a device that is disabled", async () => {
    const { db } = imports.world;
    const AI1 = pump.channels.AI1 ?? 0;
    await db.updateTable("channels").set({ channel_switch: false }).where("channel_id", "=", AI1).execute();
    expect((await runWide("2026-01-02T03:00:00Z,1\n")).err).toContain("Pump/AI1 is off: switch it on first");
    await db.updateTable("devices").set({ is_disabled: true }).where("device_id", "=", pump.deviceId).execute();
    expect((await runWide("2026-01-02T03:00:00Z,1\n")).err).toContain("Pump is disabled: enable it first");
  });

  test("a mapping with an unknown field: line and path are named", async () => {
    const map = await imports.file("map.yaml", "devices:\n  a: Pump\nfields:\n  x: AI1\n");
    const { err } = await runWide("2026-01-02T03:00:00Z,1\n", "--map", map);
    expect(err).toContain("map.yaml:3: fields: there is no such field: fields");
  });

  test("a dry run says what would go where, the times, and the first bad lines", async () => {
    const file = await imports.file("dry.csv", "time,AI1,Flow\n2026-01-02T03:00:00Z,1,2\n2026-01-02T04:00:00Z,x,2\n");
    const { out, err } = await imports.run(owner, "import", file, "--device", "Pump", "--dry-run");
    expect(out).toContain("Pump/AI1 -> Pump/AI1, 1 reading, 2026-01-02T03:00:00.000Z to 2026-01-02T03:00:00.000Z\n");
    expect(out).toContain("Pump/Flow -> not mapped: Pump has no channel Flow");
    expect(out).toContain("3 readings can be read, 1 can't; nothing was stored\n");
    expect(err).toBe('line 3: "x" is no number\n');
    expect(await importsBegun()).toBe(0);
  });

  test("a dry run refuses what the import would refuse", async () => {
    const file = await imports.file("dry.csv", "time,AI1\n1999-12-31T00:00:00Z,1\n2100-01-01T00:00:00Z,2\n");
    const { out, err } = await imports.run(owner, "import", file, "--device", "Pump", "--dry-run");
    expect(out).toContain("0 readings can be read, 2 can't");
    expect(err).toBe("line 2: its time is before 2000\nline 3: its time is in the future\n");
  });

  test.each([
    ...["01.10.2026 08:00", "01.10.2026", "10/01/2026 08:00", "20261001", "202610010800", "20261001080000"],
    ...["2025-13-01T00:00:00Z", "2025-00-10", "2025-01-01T00:00:60Z", "2025-01-01T00:00:00+25:00", "2025-02-29"],
  ])("a time written as %s is none, and not another one", async (written) => {
    const { err } = await runWide(`${written},1\n`, "--timezone", "UTC", "--dry-run");
    expect(err).toContain(`line 2: "${written}" is no time\n`);
  });
});

describe("names of the source go", () => {
  const source = "time,device,channel,value\n2026-01-02T03:00:00Z,p-01,press,1\n2026-01-02T03:00:00Z,p-01,flow,2\n";
  const shown = async () => (await lines()).map((line) => line.split(",").slice(1, 3).join(" "));

  test("where a file says", async () => {
    const map = await imports.file(
      "map.yaml",
      "devices: { p-01: Pump }\nchannels: { press: AI1 }\nseries: { p-01/flow: Pump/AI3 }\n",
    );
    await imports.run(owner, "import", await imports.file("s.csv", source), "--map", map);
    expect(await shown()).toEqual(["AI1 1", "AI3 2"]);
  });

  test("where options say, and what is not mapped is left out if that is wanted", async () => {
    const file = await imports.file("s.csv", source);
    const options = ["--map", `p-01/press=${pump.deviceSnId}/AI2`, "--skip-unmapped"];
    const { out, err } = await imports.run(owner, "import", file, ...options);
    expect(out).toBe("1 reading read: 1 stored, 0 already there, 0 refused\n");
    expect(err).toBe("p-01/flow is not mapped: there is no device p-01\n");
    expect(await shown()).toEqual(["AI2 1"]);
  });
});

describe("who may import", () => {
  test("a device manager's key may; one that only reads, and an installer's, may not", async () => {
    const manager = await aDeviceManager(imports.world, owner);
    const file = await wide("2026-01-02T03:00:00Z,1\n");
    const importBy = (key: string) => imports.run(key, "import", file, "--device", "Pump");
    expect((await importBy(await imports.keyOf(owner, Role.owner, 1))).err).toBe("This API key is read-only\n");
    expect((await importBy(await imports.keyOf(owner, Role.installer))).err).toBe("Your role does not allow this\n");
    expect(await lines()).toEqual([]);
    expect((await importBy(await imports.keyOf(manager, Role.deviceManager))).out).toContain("1 stored");
  });

  test("another plant's channels are not found, and its portion stores nothing", async () => {
    const stranger = await anOwner(imports.world);
    const as = imports.as(stranger);
    const { importId } = await as(calls.begin, { fileName: "a.csv", digest: "0".repeat(64) });
    const portion = { importId, after: 0, position: 1, line: 1, unreadable: 0, counts: [1], times: [at("03:00:00")] };
    const stolen = { ...portion, deviceChannelIds: [pump.channels.AI1 ?? 0], values: [1] };
    await expect(as(calls.store, stolen)).rejects.toThrow("not in this plant");
    expect(await as(calls.devices, { names: ["Pump"] })).toEqual([]);
    expect(await lines()).toEqual([]);
  });
});
