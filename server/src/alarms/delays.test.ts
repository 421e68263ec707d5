import { alarms } from "@telltale/contract/domains/alarms";
import { alerts } from "@telltale/contract/domains/alerts";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newestReadings } from "../readings/index.ts";
import { createTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../test/test-alarm-times.ts";
import { type AlarmInput, aLowFlow, type Watchable } from "../test/test-alarms.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let telemetry: Telemetry;
let owner: Person;
let watchable: Watchable;
let station: TimedStation;
let start: number;

beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  station = await aTimedStation(server, telemetry, owner);
  ({ watchable, start } = station);
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

const add = (more: AlarmInput): Promise<{ alarmId: number }> => server.as(owner)(alarms.add, aLowFlow(watchable, more));

const send = (at: number, value: number, by?: Telemetry) => station.send(at, value, by && { by });
const wait = (until: number, by?: Telemetry) => station.wait(until, by);
const raised = () => station.raised();
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

/** A pool whose next query lasts so many milliseconds of server time. */
const stallingPool = ({ pool, clock }: TestServer["world"]) => {
  let next = 0;
  return {
    stallNext: (milliseconds: number) => {
      next = milliseconds;
    },
    pool: new Proxy(pool, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          if (name === "query") {
            clock.pass(next);
            next = 0;
          }
          return Reflect.apply(member, target, given);
        };
      },
    }),
  };
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
    await wait(55, restarted);
    expect(await raised()).toEqual([]);
    await wait(61, restarted);
    expect(await raised()).toEqual([[30, null, 10, 10]]);
    await restarted.stop();
  });

  test("is not raised because the database stood still: what devices have kept meanwhile arrives first", async () => {
    await add({ onDelay: 30 });
    const { pool, stallNext } = stallingPool(server.world);
    const stalled = createTelemetry({ ...server.world, pool, metrics: new Registry() });
    await wait(70, stalled);
    await send(100, 10, stalled);
    await wait(125, stalled);
    // The look for what is due, at 126, is answered at 136.
    stallNext(10_000);
    await wait(126, stalled);
    await stalled.alarmTimers.run();
    await station.send(137, 50, { by: stalled, time: 128 });
    expect(await raised()).toEqual([]);
    // One that goes on is raised a little later, at its time.
    await send(140, 10, stalled);
    await wait(240, stalled);
    expect(await raised()).toEqual([[170, null, 10, 10]]);
    await stalled.stop();
  });

  test.each([-3_600_000, 3_600_000])(
    "is raised in time, and not before, although the server's clock is set by %i ms",
    async (by) => {
      const { clock } = server.world;
      await add({ onDelay: 120 });
      await send(0, 10);
      clock.jump(by);
      const pass = async (seconds: number) => {
        for (let passed = 0; passed < seconds; passed += 20) {
          clock.pass(20_000);
          await telemetry.alarmTimers.run();
        }
      };
      await pass(100);
      expect(await raised()).toEqual([]);
      await pass(120);
      expect(await raised()).toEqual([[120, null, 10, 10]]);
      clock.jump(-by);
    },
  );

  test("goes on where it was when a save leaves as it is when the alarm is raised", async () => {
    const { alarmId } = await add({ onDelay: 30, offDelay: 60 });
    const rename = (alarmName: string) =>
      server.as(owner)(alarms.update, { ...aLowFlow(watchable, { alarmName, response: "Rake the screens" }), alarmId });
    await send(0, 10);
    await wait(20);
    await rename("Flow");
    await wait(31);
    expect(await raised()).toEqual([[30, null, 10, 10]]);
    await send(40, 50);
    await rename("Flow low");
    expect(await raised()).toEqual([[30, null, 10, 10]]);
    await wait(101);
    expect(await raised()).toEqual([[30, 100, 10, 10]]);
    await server.as(owner)(alarms.update, { ...aLowFlow(watchable, { onDelay: 0, times: 2, window: 300 }), alarmId });
    await send(110, 10);
    await send(120, 50);
    await rename("Flow");
    await send(130, 10);
    expect((await raised())[1]).toEqual([130, null, 10, 10]);
  });

  test("stands when it is raised again after a timer has cleared it, also after a restart", async () => {
    await add({ offDelay: 60 });
    await send(0, 10);
    await send(10, 50);
    await wait(71);
    await send(80, 50);
    expect(await phases()).toEqual([]);
    await send(90, 10);
    const restarted = createTelemetry({ ...server.world, metrics: new Registry() });
    await send(100, 21, restarted);
    await send(300, 21, restarted);
    expect(await raised()).toEqual([
      [0, 70, 10, 10],
      [90, null, 10, 10],
    ]);
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
