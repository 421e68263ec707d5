import { alarms } from "@telltale/contract/domains/alarms";
import { alerts } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newestReadings } from "../readings/index.ts";
import { createTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { type AlarmInput, aLowFlow, aWatchableStation, type Watchable } from "../test/test-alarms.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let telemetry: Telemetry;
let owner: Person;
let watchable: Watchable;
let start: number;

beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  watchable = await aWatchableStation(server.world, owner);
  // Timers wait until kept readings had time to arrive.
  await passTo(server.world.clock.now() + 120_000);
  start = server.world.clock.now();
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

const add = (more: AlarmInput): Promise<{ alarmId: number }> => server.as(owner)(alarms.add, aLowFlow(watchable, more));

/** Passes server time while timers look, as often as it takes not to look like a standstill. */
const passTo = async (until: number, by: Telemetry = telemetry): Promise<void> => {
  const { clock } = server.world;
  while (clock.now() < until) {
    clock.pass(Math.min(20_000, until - clock.now()));
    if (clock.now() < until) await by.alarmTimers.run();
  }
};

/** Sends a value of the station's AI3 with a device time, seconds after the start; resolves after the commit. */
const send = async (at: number, value: number, by: Telemetry = telemetry): Promise<void> => {
  const ts = start + at * 1000;
  await passTo(ts, by);
  const device = await by.registry.find({ token: watchable.station.accessToken });
  const channel = device?.channels.get("AI3");
  if (!device || !channel) throw new Error("The device is not known");
  const { promise, resolve } = Promise.withResolvers<string>();
  by.writer.submit({ devices: [device], channels: [channel], times: [ts], values: [value], done: resolve });
  expect(await promise).toBe("stored");
  await by.alarmTimers.run();
};

/** Lets server time pass to so many seconds after the start, and the timers look. */
const wait = async (until: number): Promise<void> => {
  await passTo(start + until * 1000);
  await telemetry.alarmTimers.run();
};

/** Begin and end of each alert, seconds after the start; with its value and peak. */
const raised = async () => {
  const rows = await server.world.db
    .selectFrom("alerts")
    .selectAll()
    .where("device_id", "=", watchable.station.deviceId)
    .where("alarm_class", "=", 1)
    .orderBy("alert_id")
    .execute();
  const seconds = (time: Date | null) => time && (time.getTime() - start) / 1000;
  return rows.map((row) => [seconds(row.created_time), seconds(row.cleared_time), row.value, row.peak]);
};
const phases = () =>
  server.world.db
    .selectFrom("alarm_phases")
    .select("due_ts")
    .where("channel_id", "=", Number(watchable.station.channels.AI3))
    .execute();
const status = async () => {
  const id = Number(watchable.station.channels.AI3);
  return (await newestReadings(server.world.pool, [id])).get(id)?.status;
};

describe("an alarm with a delay", () => {
  test("is raised when the condition has held for it, at that time, by the next reading or by a timer", async () => {
    await add({ onDelay: 30 });
    await send(0, 10);
    await send(20, 9);
    expect(await raised()).toEqual([]);
    await send(40, 8);
    expect(await raised()).toEqual([[30, null, 9, 8]]);
    await send(50, 60);
    await send(60, 5);
    await wait(89);
    expect(await raised()).toHaveLength(1);
    await wait(91);
    expect(await raised()).toEqual([
      [30, 50, 9, 8],
      [90, null, 5, 5],
    ]);
    expect(await status()).toBe(ReadingStatus.alarm);
    expect(await phases()).toEqual([]);
  });

  test("is not raised by a shorter excursion, and keeps nothing of it", async () => {
    await add({ onDelay: 30 });
    await send(0, 10);
    expect(await phases()).toMatchObject([{ due_ts: start + 30_000 }]);
    await send(20, 50);
    expect(await phases()).toEqual([]);
    await wait(100);
    expect(await raised()).toEqual([]);
    expect(await status()).toBe(ReadingStatus.good);
  });

  test("clears after the condition was gone for its time", async () => {
    await add({ offDelay: 60 });
    await send(0, 10);
    await send(10, 50);
    await send(30, 10);
    await send(40, 50);
    await wait(99);
    expect(await raised()).toEqual([[0, null, 10, 10]]);
    await wait(101);
    expect(await raised()).toEqual([[0, 100, 10, 10]]);
  });

  test("is raised by several occurrences within a time", async () => {
    await add({ times: 3, window: 300 });
    for (const at of [0, 20, 40]) {
      await send(at, 10);
      if (at < 40) await send(at + 10, 50);
    }
    expect(await raised()).toEqual([[40, null, 10, 10]]);
    expect(await phases()).toEqual([]);
  });

  test("goes on where it was after a restart, and on another node", async () => {
    await add({ onDelay: 30, offDelay: 20 });
    await send(0, 10);
    const another = createTelemetry({ ...server.world, metrics: new Registry() });
    await send(35, 9, another);
    expect(await raised()).toEqual([[30, null, 10, 9]]);
    await send(40, 50, another);
    await another.stop();
    // This one has not looked meanwhile, and gives kept readings time.
    await wait(130);
    expect(await raised()).toEqual([[30, 60, 10, 9]]);
  });

  test("waits after a start until kept readings had time to arrive", async () => {
    await add({ onDelay: 30 });
    await send(0, 10);
    const restarted = createTelemetry({ ...server.world, metrics: new Registry() });
    await passTo(start + 55_000, restarted);
    await restarted.alarmTimers.run();
    expect(await raised()).toEqual([]);
    await passTo(start + 61_000, restarted);
    await restarted.alarmTimers.run();
    expect(await raised()).toEqual([[30, null, 10, 10]]);
    await restarted.stop();
  });

  test("begins anew when it is changed, and ends with the alarm", async () => {
    const { alarmId } = await add({ onDelay: 30 });
    await send(0, 10);
    await server.as(owner)(alarms.update, { ...aLowFlow(watchable, { onDelay: 60 }), alarmId });
    expect(await phases()).toEqual([]);
    await send(40, 10);
    await wait(90);
    expect(await raised()).toEqual([]);
    await wait(101);
    expect(await raised()).toEqual([[100, null, 10, 10]]);
    await server.as(owner)(alarms.update, { ...aLowFlow(watchable, { offDelay: 60 }), alarmId });
    await send(110, 50);
    expect(await phases()).toHaveLength(1);
    await server.as(owner)(alarms.remove, { alarmId });
    expect(await phases()).toEqual([]);
    expect(await raised()).toEqual([[100, expect.any(Number), 10, 10]]);
  });
});

describe("an alarm that is switched off", () => {
  test("raises nothing, ends what is open, and is raised by the next reading when it is on again", async () => {
    const { alarmId } = await add({});
    await send(0, 10);
    const set = (enabled: 0 | 1) => server.as(owner)(alarms.update, { ...aLowFlow(watchable), alarmId, enabled });
    await set(0);
    expect(await server.as(owner)(alerts.unconfirmed)).toEqual([]);
    await send(10, 9);
    expect(await raised()).toHaveLength(1);
    expect(await server.as(owner)(alarms.info, { alarmId })).toMatchObject({ enabled: 0 });
    await set(1);
    await send(20, 8);
    expect(await raised()).toEqual([
      [0, expect.any(Number), 10, 10],
      [20, null, 8, 8],
    ]);
  });
});

describe("what can never be raised is refused", () => {
  test.each([
    [{ times: 3 }, "Enter the time within which it must occur so often"],
    [
      { times: 5, window: 60, onDelay: 20 },
      "With this delay it can't occur so often in that time. Enter a longer time or a shorter delay",
    ],
    [{ onDelay: 90_000 }, "A delay is a whole number of seconds, at most a day"],
    [{ times: 21 }, "Enter how often as a number from 1 to 20"],
  ])("%o", async (more, message) => {
    await expect(add(more)).rejects.toMatchObject({ message });
  });

  test("a client that does not know the new fields leaves them as they are", async () => {
    const { alarmId } = await add({ onDelay: 30, priority: 1, response: "Rake the screens" });
    await server.as(owner)(alarms.update, { ...aLowFlow(watchable, { alarmName: "Renamed" }), alarmId });
    const expected = { alarmName: "Renamed", onDelay: 30, priority: 1, response: "Rake the screens", times: 1 };
    expect(await server.as(owner)(alarms.info, { alarmId })).toMatchObject(expected);
  });
});
