import { history } from "@telltale/contract/domains/readings/history";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner, aViewer } from "../../test/test-people.ts";
import { packRange, writeReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });
const minute = 60_000;
const start = Date.parse("2026-01-01T00:00:00.000Z");
const at = (minutes: number) => new Date(start + minutes * minute);

/**
 * A channel whose settings changed after an hour and again after two, with a reading every minute from the first to the last of them
 * (the value is the minute), hot as they came in.
 */
const aChannel = async () => {
  const { db } = server.world;
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  const channelId = Number(device.channels.AI1);
  const open = await db
    .selectFrom("settings_periods")
    .selectAll()
    .where("channel_id", "=", channelId)
    .executeTakeFirstOrThrow();
  const settings = JSON.stringify({ ...(open.settings as object), unit: "psi" });
  await db.deleteFrom("settings_periods").where("channel_id", "=", channelId).execute();
  const rows = await db
    .insertInto("settings_periods")
    .values([
      { channel_id: channelId, start_time: at(0), end_time: at(60), settings },
      { channel_id: channelId, start_time: at(60), end_time: at(120), settings: JSON.stringify(open.settings) },
      { channel_id: channelId, start_time: at(120), settings: JSON.stringify(open.settings) },
    ])
    .returning("period_id")
    .execute();
  await writeReadings(
    server.world,
    channelId,
    Array.from({ length: 181 }, (_, m) => [start + m * minute, m] as const),
  );
  const [first = 0, second = 0, third = 0] = rows.map((row) => row.period_id);
  return { owner, device, channelId, first, second, third };
};

describe("settings periods", () => {
  test("are newest first, the one in force without an end, each with its settings", async () => {
    const { owner, channelId, first, second, third } = await aChannel();
    const { data, total } = await server.as(owner)(history.periods, { channelId });
    expect(data.map((period) => [period.logGroupId, period.startTime, period.endTime])).toEqual([
      [third, at(120), null],
      [second, at(60), at(120)],
      [first, at(0), at(60)],
    ]);
    expect(total).toBe(3);
    expect(data[2]?.channelSettingChangeDto).toContainEqual({ name: "UNIT", nameVal: "psi", val: "psi" });
    expect(data[0]?.channelSettingChangeDto).toContainEqual({ name: "Higher Alarm", nameVal: "80 bar", val: 80 });
  });

  test("begin with the first reading: what is older than the settings is shown with them, and is not lost", async () => {
    const { owner, channelId, first, second } = await aChannel();
    await writeReadings(server.world, channelId, [[at(-600).getTime(), 7]]);
    const { data } = await server.as(owner)(history.periods, { channelId, endTime: at(-500) });
    expect(data.map((period) => [period.logGroupId, period.startTime, period.endTime])).toEqual([
      [first, at(-600), at(60)],
    ]);
    const points = await server.as(owner)(history.points, { logId: first, endTime: at(-1) });
    expect(points.data.map(({ deviceTimestamp, value }) => [deviceTimestamp, value])).toEqual([[at(-600), 7]]);
    const { count } = await server.as(owner)(history.chart, { logId: first });
    expect(count).toBe(61);
    expect((await server.as(owner)(history.chart, { logId: second })).count).toBe(60);
  });

  test("begin with the first reading to the millisecond, also when its hour is packed", async () => {
    const { owner, channelId, first } = await aChannel();
    const hour = 60 * minute;
    const measured = at(-600).getTime() + 13 * minute + 7;
    await writeReadings(server.world, channelId, [
      [measured, 7],
      [measured + 1000, 8],
    ]);
    const begin = async () =>
      (await server.as(owner)(history.periods, { channelId })).data.find(({ logGroupId }) => logGroupId === first)
        ?.startTime;
    expect(await begin()).toEqual(new Date(measured));
    const packed = Math.floor(measured / hour);
    await packRange(server.world.pool, packed, packed + 1, server.world.clock.now());
    expect(await begin()).toEqual(new Date(measured));
  });

  test("are those that touch the range", async () => {
    const { owner, channelId, first, second, third } = await aChannel();
    const touching = async (startTime?: Date, endTime?: Date) =>
      (
        await server.as(owner)(history.periods, {
          channelId,
          ...(startTime ? { startTime } : {}),
          ...(endTime ? { endTime } : {}),
        })
      ).data.map((period) => period.logGroupId);
    expect(await touching(at(10), at(20))).toEqual([first]);
    expect(await touching(at(10), at(60))).toEqual([second, first]);
    expect(await touching(at(60), at(70))).toEqual([second]);
    expect(await touching(at(500))).toEqual([third]);
    expect(await touching(undefined, at(-1))).toEqual([]);
  });
});

describe("the chart of a period", () => {
  test("has its readings and those of no other, in its unit", async () => {
    const { owner, first, second, third } = await aChannel();
    const chart = (logId: number) => server.as(owner)(history.chart, { logId });
    expect(await chart(first)).toMatchObject({ count: 60, unit: "psi" });
    const line = await chart(second);
    expect(line).toMatchObject({ count: 60, unit: "bar" });
    expect([line.dataXs[0], line.dataXs.at(-1)]).toEqual([Number(at(60)), Number(at(119))]);
    expect((await chart(third)).count).toBe(61);
  });

  test("of a part is clipped to the period", async () => {
    const { owner, second } = await aChannel();
    const part = (startTime: Date, endTime: Date) =>
      server.as(owner)(history.chart, { logId: second, startTime, endTime });
    expect((await part(at(70), at(79))).dataYs).toEqual([70, 71, 72, 73, 74, 75, 76, 77, 78, 79]);
    expect((await part(at(0), at(62))).dataYs).toEqual([60, 61, 62]);
    expect(await part(at(130), at(140))).toMatchObject({ dataXs: [], dataYs: [], unit: "bar", count: 0 });
  });

  test("of the latest hour is up to the newest reading, however long ago that was", async () => {
    const { owner, third } = await aChannel();
    const line = await server.as(owner)(history.chart, { logId: third, latest: 10 * minute });
    expect(line.dataYs).toEqual([170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180]);
    expect(line).toMatchObject({ from: Number(at(170)), to: server.world.clock.now() });
  });
});

describe("the chart of a channel", () => {
  test("joins its periods as far as the unit is the same, around the end of the range", async () => {
    const { owner, channelId } = await aChannel();
    const line = (startTime?: Date, endTime?: Date) =>
      server.as(owner)(history.chart, {
        channelId,
        ...(startTime ? { startTime } : {}),
        ...(endTime ? { endTime } : {}),
      });
    expect(await line()).toMatchObject({ count: 121, unit: "bar", from: Number(at(60)) });
    expect((await line(at(110), at(130))).dataYs).toEqual(Array.from({ length: 21 }, (_, m) => 110 + m));
    expect(await line(at(0), at(62))).toMatchObject({ dataYs: [60, 61, 62], unit: "bar" });
    expect(await line(at(0), at(30))).toMatchObject({ count: 31, unit: "psi" });
    const list = await server.as(owner)(history.points, { channelId, startTime: at(118), endTime: at(121) });
    expect(list.data.map(({ value }) => value)).toEqual([121, 120, 119, 118]);
  });

  test("takes a date as that day of the time zone, and without one as that of UTC", async () => {
    const { owner, channelId } = await aChannel();
    // An hour behind UTC in winter.
    const timeZoneId = "Atlantic/Azores";
    const line = (range: { startTime?: string; endTime?: string; timeZoneId?: string }) =>
      server.as(owner)(history.chart, { channelId, ...range });
    expect(await line({ timeZoneId, endTime: "2025-12-31" })).toMatchObject({ count: 60, unit: "psi" });
    expect(await line({ timeZoneId, startTime: "2026-01-01" })).toMatchObject({ count: 121, unit: "bar" });
    expect(await line({ endTime: "2025-12-31" })).toMatchObject({ count: 0 });
    const list = await server.as(owner)(history.points, { channelId, timeZoneId, endTime: "2025-12-31" });
    expect(list).toMatchObject({ total: 60, data: [{ value: 59 }, ...Array(9).fill({})] });
  });

  test("needs a settings period or a channel", async () => {
    const { owner } = await aChannel();
    const sentence = "Choose a settings period or a channel";
    await expect(server.as(owner)(history.chart, {})).rejects.toMatchObject({ code: 422, message: sentence });
    await expect(server.as(owner)(history.points, {})).rejects.toMatchObject({ code: 422, message: sentence });
  });
});

describe("the readings of a period", () => {
  test("are newest first, in pages", async () => {
    const { owner, second } = await aChannel();
    const page = await server.as(owner)(history.points, { logId: second, page: 2 });
    expect(page).toMatchObject({ total: 60, total_pages: 6, page: 2 });
    expect(page.data.map((point) => point.value)).toEqual([109, 108, 107, 106, 105, 104, 103, 102, 101, 100]);
    expect(page.data[0]).toMatchObject({ valueUnit: "bar", status: 1, deviceTimestamp: at(109), createdTime: at(109) });
  });

  test("go up to a moment when one is given, and within a range", async () => {
    const { owner, second } = await aChannel();
    const points = async (request: object) => {
      const { data, total } = await server.as(owner)(history.points, { logId: second, ...request });
      return [total, data[0]?.value];
    };
    expect(await points({ deviceTimestamp: Number(at(64)) })).toEqual([5, 64]);
    expect(await points({ startTime: at(61), endTime: at(300) })).toEqual([59, 119]);
    expect(await points({ deviceTimestamp: Number(at(30)) })).toEqual([0, undefined]);
  });
});

test("a reading with a future time is shown although that time has not come", async () => {
  const { owner, channelId, third } = await aChannel();
  const ahead = server.world.clock.now() + 3_600_000;
  await writeReadings(server.world, channelId, [[ahead, 7]]);
  const { data } = await server.as(owner)(history.points, { logId: third });
  expect(data[0]).toMatchObject({ deviceTimestamp: new Date(ahead), value: 7 });
});

test("another plant's channel and periods do not exist, nor do those off a viewer's dashboard", async () => {
  const { owner, channelId, second } = await aChannel();
  for (const person of [await anOwner(server.world), await aViewer(server.world, owner)]) {
    const as = server.as(person);
    await expect(as(history.periods, { channelId })).rejects.toEqual(refusal(404));
    await expect(as(history.chart, { logId: second })).rejects.toEqual(refusal(404));
    await expect(as(history.points, { logId: second })).rejects.toEqual(refusal(404));
    await expect(as(history.chart, { channelId })).rejects.toEqual(refusal(404));
    await expect(as(history.points, { channelId })).rejects.toEqual(refusal(404));
    const own = Number((await aDevice(server.world, person)).channels.AI1);
    await expect(as(history.chart, { logId: second, channelId: own })).rejects.toEqual(refusal(404));
  }
});

test("an id that is no number is refused with a message, and so is one out of range", async () => {
  const owner = await anOwner(server.world);
  for (const logId of ["x", "1.5", "99999999999"]) {
    const answer = await server.app.inject(`${history.chart.path}?token=${owner.token}&logId=${logId}`);
    expect(answer.json()).toMatchObject({ code: 422, msg: "Settings period has to be a whole number" });
  }
});
