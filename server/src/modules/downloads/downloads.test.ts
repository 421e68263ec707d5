import { addressOf } from "@telltale/contract/call/client";
import { DataType, downloads } from "@telltale/contract/domains/readings/downloads";
import { dayOn, dayText, zoneOf } from "@telltale/contract/text/wall-clock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partsOf, type TestExports, testExports } from "../../test/test-exports.ts";
import { anAdmin, anOwner, aSupportView, type Person } from "../../test/test-people.ts";
import { writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { sheetOf } from "../../test/test-spreadsheet.ts";

let server: TestServer;
let plant: TestExports;

beforeAll(async () => {
  server = await startTestServer();
  plant = testExports(server);
});
afterAll(() => server.close());

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

const exported = async (person: Person, deviceId: number, from: number, to: number) => {
  const range = { startTime: new Date(from), endTime: new Date(to) };
  return sheetOf(
    await partsOf(await server.as(person)(downloads.export, { deviceId, type: DataType.chosen, ...range })),
  );
};

/** The time in a cell, as ISO text of the local time. */
const wallOf = (cell: unknown): string => new Date(Math.round((Number(cell) - 25_569) * day)).toISOString();

describe("readings as CSV", () => {
  test("have packed and hot ones of the wanted channels in time order, each once, with unit and status", async () => {
    const { owner, device, AI1, AI2 } = await plant.aPlant();
    const from = plant.daysAgo(40);
    await plant.write(AI1, from, 120);
    await plant.write(AI2, from + 1000, 120);
    await plant.pack(from, from + 2 * hour);
    await plant.write(AI1, from, 1);
    const csvOf = async (input: { channels?: string[] }) => {
      const range = { deviceId: device.deviceId, startTime: new Date(from), endTime: new Date(from + hour - 1) };
      const file = await server.as(owner)(downloads.readings, { ...range, ...input });
      return (await file.text()).trimEnd().split("\n");
    };
    const [head, ...rows] = await csvOf({});
    expect(head).toBe("time,channel,value,unit,status");
    expect(rows).toHaveLength(120);
    expect(rows[0]).toBe(`${new Date(from).toISOString()},AI1,0,bar,Good`);
    expect(rows[1]?.split(",")[1]).toBe("AI2");
    expect(await csvOf({ channels: ["AI2"] })).toHaveLength(61);
    await expect(csvOf({ channels: ["AI77"] })).rejects.toEqual(refusal(404, "This device has no such channel"));
  });

  test("have each reading once, in time order, also where the file is sent in parts", async () => {
    const { owner, device, AI1 } = await plant.aPlant();
    const from = plant.daysAgo(9);
    const count = 4_000;
    await plant.write(AI1, from, count);
    const range = { startTime: new Date(from), endTime: new Date(from + count * minute) };
    const file = await server.as(owner)(downloads.readings, { deviceId: device.deviceId, ...range });
    const text = await file.text();
    expect(text.length).toBeGreaterThan(150_000);
    const [head, ...rows] = text.trimEnd().split("\n");
    expect(head).toBe("time,channel,value,unit,status");
    const times = rows.map((row) => row.split(",")[0]);
    expect(times).toEqual(Array.from({ length: count }, (_, at) => new Date(from + at * minute).toISOString()));
  });

  test("hold no formula that a member has written as a unit: spreadsheets would run it", async () => {
    const { owner, device, AI1 } = await plant.aPlant();
    const from = plant.daysAgo(3);
    await plant.write(AI1, from, 1);
    await server.world.pool.query(
      `UPDATE settings_periods SET settings = settings || '{"unit": "=HYPERLINK(1,2)"}' WHERE channel_id = $1`,
      [AI1],
    );
    const range = { startTime: new Date(from), endTime: new Date(from + hour) };
    const file = await server.as(owner)(downloads.readings, { deviceId: device.deviceId, ...range });
    expect((await file.text()).split("\n")[1]).toBe(`${new Date(from).toISOString()},AI1,0,"'=HYPERLINK(1,2)",Good`);
  });
});

describe("an export", () => {
  test("has packed and hot readings of all channels in time order, each once, and no others", async () => {
    const { owner, device, AI1, AI2 } = await plant.aPlant();
    const from = plant.daysAgo(20);
    await plant.write(AI1, from, 180);
    await plant.write(AI2, from + 1000, 180);
    await plant.pack(from, from + 2 * hour);
    // Resent after its hour was packed.
    await plant.write(AI1, from, 1);
    const [head, ...rows] = await exported(owner, device.deviceId, from + 10 * minute, from + 170 * minute);
    expect(head).toEqual(["TIME (UTC)", "UTC OFFSET", "CHANNEL", "CODE", "VALUE", "UNIT", "STATUS"]);
    expect(rows).toHaveLength(161 + 160);
    expect(rows[0]?.slice(1)).toEqual(["UTC+00:00", "AI1", "AI1", 10, "bar", "Good"]);
    expect(rows.slice(0, 4).map((row) => row[3])).toEqual(["AI1", "AI2", "AI1", "AI2"]);
    expect(wallOf(rows[1]?.[0])).toBe(new Date(from + 10 * minute + 1000).toISOString());
    const times = rows.map((row) => Number(row[0]));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((await exported(owner, device.deviceId, from, from + minute - 1)).slice(1)).toHaveLength(2);
  });

  test("shows the device's own clock, the unit in force at the time, and the status in words", async () => {
    const { owner, device, AI1 } = await plant.aPlant("=HYPERLINK(1)");
    await plant.setZone(device.deviceId, "Asia/Kolkata");
    await server.world.db.updateTable("channels").set({ channel_name: "=1+1" }).where("channel_id", "=", AI1).execute();
    const from = plant.daysAgo(15);
    const open = await server.world.db
      .updateTable("settings_periods")
      .set({ start_time: new Date(from - day), end_time: new Date(from + minute) })
      .where("channel_id", "=", AI1)
      .returning("settings")
      .executeTakeFirstOrThrow();
    await server.world.db
      .insertInto("settings_periods")
      .values({
        channel_id: AI1,
        start_time: new Date(from + minute),
        settings: JSON.stringify({ ...(open.settings as object), unit: "psi" }),
      })
      .execute();
    const values = [0, 1, 2].map((n) => [from + n * minute, n + 0.5, n] as const);
    await writeReadings(server.world, AI1, values);
    const [head, ...rows] = await exported(owner, device.deviceId, from, from + hour);
    expect(head?.[0]).toBe("TIME (Asia/Kolkata)");
    expect(wallOf(rows[0]?.[0])).toBe(new Date(from + 5.5 * hour).toISOString());
    expect(rows.map((row) => row.slice(1))).toEqual([
      ["UTC+05:30", "'=1+1", "AI1", 0.5, "bar", "Alarm"],
      ["UTC+05:30", "'=1+1", "AI1", 1.5, "psi", "Good"],
      ["UTC+05:30", "'=1+1", "AI1", null, "psi", "No data"],
    ]);
  });

  test.each(["America/Chicago", "Europe/Berlin", "Asia/Kolkata"])(
    "has the whole days of the device's clock in %s, from the first to the last that can be chosen",
    async (name) => {
      const { owner, device, AI1 } = await plant.aPlant();
      await plant.setZone(device.deviceId, name);
      const zone = zoneOf(name);
      const today = dayOn(zone, server.world.clock.now());
      const [from, after] = [zone.showing((today - 30) * day), zone.showing((today - 9) * day)];
      await writeReadings(server.world, AI1, [
        [from - 1, 1],
        [from, 2],
        [after - 1, 3],
        [after, 4],
      ]);
      const days = { startTime: dayText(today - 30), endTime: dayText(today - 10) };
      const input = { deviceId: device.deviceId, type: DataType.chosen };
      const [, ...rows] = sheetOf(await partsOf(await server.as(owner)(downloads.export, { ...input, ...days })));
      expect(rows.map((row) => row[4])).toEqual([2, 3]);
      const beyond = { ...days, endTime: dayText(today - 9) };
      await expect(server.as(owner)(downloads.export, { ...input, ...beyond })).rejects.toEqual(
        refusal(422, `Choose Data from ${days.startTime} to ${days.endTime}`),
      );
    },
  );

  test("is a file with a name", async () => {
    const { owner, device } = await plant.aPlant("Mühle 4");
    const range = { startTime: new Date(plant.daysAgo(12)), endTime: new Date(plant.daysAgo(11)) };
    const input = { deviceId: device.deviceId, type: DataType.chosen, ...range };
    const answer = await server.app.inject(addressOf("", downloads.export, input, owner.token));
    expect(answer.headers["content-type"]).toBe(downloads.export.file);
    const disposition = String(answer.headers["content-disposition"]);
    expect(disposition).toMatch(/^attachment; filename="M_hle-4_.*[.]xlsx"; filename\*=UTF-8''M%C3%BChle-4_.*[.]xlsx$/);
    expect(disposition).toContain(new Date(plant.daysAgo(12)).toISOString().slice(0, 10));
  });

  test("names missing and invalid fields", async () => {
    const { owner, device } = await plant.aPlant();
    const { deviceId } = device;
    const answer = (query: string) =>
      server.app
        .inject(`${downloads.export.path}?token=${owner.token}&${query}`)
        .then((response) => response.json().msg);
    const range = `startTime=${new Date(plant.daysAgo(20)).toISOString()}&endTime=${new Date(plant.daysAgo(15)).toISOString()}`;
    expect(await answer("type=0")).toBe("Choose Device");
    expect(await answer(`deviceId=${deviceId}`)).toBe("Choose Data Type");
    for (const type of [1, 7]) expect(await answer(`deviceId=${deviceId}&type=${type}`)).toBe("Choose Data Type");
    expect(await answer(`deviceId=${deviceId}&type=0`)).toBe("Choose Data");
    expect(await answer(`deviceId=${deviceId}&type=0&${range.replace(/startTime=\d+/, "startTime=2001")}`)).toMatch(
      /^Choose Data from/,
    );
    await expect(exported(owner, deviceId, plant.daysAgo(20), plant.daysAgo(5))).rejects.toEqual(refusal(422));
    await expect(exported(await anOwner(server.world), deviceId, plant.daysAgo(20), plant.daysAgo(15))).rejects.toEqual(
      refusal(404),
    );
  });
});

describe("the download history", () => {
  test("has what this account has downloaded, and filters", async () => {
    const { owner, device } = await plant.aPlant();
    const colleague = await anAdmin(server.world, owner);
    const [from, to] = [plant.daysAgo(20), plant.daysAgo(15)];
    await exported(owner, device.deviceId, from, to);
    const list = async (person: Person, filter = {}) => {
      const { data, total } = await server.as(person)(downloads.history, filter);
      expect(total).toBe(data.length);
      return data;
    };
    await expect.poll(() => list(owner)).toHaveLength(1);
    expect(await list(owner)).toMatchObject([
      { deviceId: device.deviceId, deviceName: "Pump house", startTime: new Date(from), endTime: new Date(to) },
    ]);
    expect(await list(colleague)).toEqual([]);
    const now = server.world.clock.now();
    expect(
      await list(owner, { deviceName: "PUMP", statTime: new Date(now - hour), endTime: new Date(now) }),
    ).toHaveLength(1);
    expect(await list(owner, { deviceName: "boiler" })).toEqual([]);
    expect(await list(owner, { statTime: new Date(now + 1) })).toEqual([]);
  });

  test("has nothing of what support has looked at: that is audited", async () => {
    const { owner, device } = await plant.aPlant();
    await exported(await aSupportView(server.world, owner), device.deviceId, plant.daysAgo(20), plant.daysAgo(15));
    const audited = () =>
      server.world.db
        .selectFrom("audit_log")
        .selectAll()
        .where("plant_id", "=", owner.plantId)
        .where("action", "=", "support.download")
        .execute();
    await expect.poll(audited).toHaveLength(1);
    expect((await server.as(owner)(downloads.history, {})).data).toEqual([]);
  });
});

test("a cancelled download gives back its connection and its place, and is not in the history", async () => {
  const { owner, device, AI1 } = await plant.aPlant();
  const { app, world } = server;
  await plant.write(AI1, plant.daysAgo(20), 200_000, 1000);
  await plant.pack(plant.daysAgo(20), plant.daysAgo(17));
  const base = await app.listen({ port: 0, host: "127.0.0.1" });
  const range = { startTime: new Date(plant.daysAgo(20)), endTime: new Date(plant.daysAgo(17)) };
  const address = addressOf(
    base,
    downloads.export,
    { deviceId: device.deviceId, type: DataType.chosen, ...range },
    owner.token,
  );
  const open = async () => {
    const abort = new AbortController();
    const answer = await fetch(address, { signal: abort.signal });
    return { type: answer.headers.get("content-type"), reader: answer.body?.getReader(), abort };
  };
  const busy = () => world.pool.totalCount - world.pool.idleCount;
  const before = busy();
  const cancelled = await Promise.all([open(), open(), open()]);
  expect(cancelled.map(({ type }) => type)).toEqual(Array(3).fill(downloads.export.file));
  expect((await open()).type, "a fourth has to wait").toContain("application/json");
  for (const { reader, abort } of cancelled) {
    await reader?.read();
    abort.abort();
  }
  await expect.poll(busy).toBe(before);
  await expect
    .poll(async () => (await fetch(address, { method: "GET" })).headers.get("content-type"))
    .toBe(downloads.export.file);
  const { data } = await server.as(owner)(downloads.history, {});
  expect(data.length).toBeLessThanOrEqual(1);
});

test("devices to choose from are those of the plant, found by a part of name or ID", async () => {
  const { owner, device } = await plant.aPlant("Boiler 7");
  const find = async (deviceName?: string) =>
    (await server.as(owner)(downloads.devices, deviceName ? { deviceName } : {})).map((each) => each.deviceId);
  expect(await find()).toEqual([device.deviceId]);
  expect(await find("boiler")).toEqual([device.deviceId]);
  expect(await find(device.deviceSnId.slice(2, 9))).toEqual([device.deviceId]);
  expect(await find("pump")).toEqual([]);
});
