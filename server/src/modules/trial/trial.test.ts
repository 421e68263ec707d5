import { Code } from "@telltale/contract/call/codes";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { alarmTrial } from "@telltale/contract/domains/alerting/trial";
import { AlertClass } from "@telltale/contract/domains/alerts";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTelemetry, type Telemetry } from "../../telemetry/telemetry.ts";
import { type AlarmInput, aLowFlow, aWatchableStation, type Watchable } from "../../test/test-alarms.ts";
import { anInstaller, anOwner, aSupportView, type Person } from "../../test/test-people.ts";
import { packRange, unpackedReadings } from "../../test/test-readings.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let telemetry: Telemetry;
let owner: Person;
let watchable: Watchable;
let now: number;

beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  watchable = await aWatchableStation(server.world, owner);
  now = server.world.clock.now();
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

/** Sends values of a channel of the station, a number of minutes ago each, oldest first. */
const send = async (values: readonly [minutesAgo: number, value: number][], code = "AI3"): Promise<void> => {
  const device = await telemetry.registry.find({ token: watchable.station.accessToken });
  const channel = device?.channels.get(code);
  if (!device || !channel) throw new Error("The device is not known");
  const { promise, resolve } = Promise.withResolvers<string>();
  const times = values.map(([ago]) => now - ago * 60_000);
  const columns = { channels: values.map(() => channel), times, values: values.map(([, value]) => value) };
  telemetry.writer.submit({ devices: [device], ...columns, done: resolve });
  expect(await promise).toBe("stored");
};
const tried = (more: AlarmInput & { days?: number } = {}, by: Person = owner) =>
  server.as(by)(alarmTrial.try, { days: 2, ...aLowFlow(watchable), ...more });
const minutesAgo = (time: Date | null) => time && (now - time.getTime()) / 60_000;

describe("trying an alert", () => {
  test("tells what it would have raised, and with which delay how often", async () => {
    await send([
      [1500, 10],
      [1499, 50],
      [100, 10],
      [97, 50],
      [50, 10],
      [49.5, 50],
      [10, 10],
    ]);
    const trial = await tried();
    expect(trial).toMatchObject({ total: 4, perDay: [1, 3], underAMinute: 1, readings: 7 });
    expect(trial.occurrences.map(({ from, to }) => [minutesAgo(from), minutesAgo(to)])).toEqual([
      [1500, 1499],
      [100, 97],
      [50, 49.5],
      [10, null],
    ]);
    expect(trial.inAlarmSeconds).toBe(60 + 180 + 30 + 600);
    expect(trial.longestSeconds).toBe(600);
    expect(trial.withDelay.map(({ seconds, total }) => ({ seconds, total }))).toEqual([
      { seconds: 10, total: 4 },
      { seconds: 60, total: 3 },
      { seconds: 300, total: 1 },
    ]);
    expect(trial.withDelay[1]?.occurrences.map(({ from, to }) => [minutesAgo(from), minutesAgo(to)])).toEqual([
      [1499, 1499],
      [99, 97],
      [9, null],
    ]);
    expect(await tried({ days: 1 })).toMatchObject({ total: 3, perDay: [3] });
    expect(await tried({ onDelay: 120, alarmValue: 5, alarmHysteresis: 1 })).toMatchObject({ total: 0, readings: 7 });
  });

  test("counts only while the rule's gate is open", async () => {
    const gate = { gateChannelId: Number(watchable.station.channels.DI1), gateType: GateType.on };
    await send([[1400, 0]], "DI1");
    await send([
      [1300, 10],
      [1200, 50],
    ]);
    await send([[1000, 1]], "DI1");
    await send([
      [900, 10],
      [800, 50],
      [700, 10],
    ]);
    await send([[650, 0]], "DI1");
    await send([[100, 50]]);
    const spans = async (more: AlarmInput) =>
      (await tried({ ...gate, ...more })).occurrences.map(({ from, to }) => [minutesAgo(from), minutesAgo(to)]);
    expect(await spans({})).toEqual([
      [900, 800],
      [700, 650],
    ]);
    expect(await spans({ startUp: 12_000 })).toEqual([[700, 650]]);
    expect(await spans({ condition: AlarmCondition.noData, window: 6000 })).toEqual([]);
  });

  test("writes nothing", async () => {
    await send([
      [100, 10],
      [97, 50],
    ]);
    const rows = async () => {
      const count = (table: "alarms" | "alerts" | "alarm_phases" | "audit_log" | "outbox") =>
        server.world.db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as("n"))
          .executeTakeFirstOrThrow();
      return Promise.all((["alarms", "alerts", "alarm_phases", "audit_log", "outbox"] as const).map(count));
    };
    const before = await rows();
    expect(await tried()).toMatchObject({ total: 1 });
    expect(await rows()).toEqual(before);
  });

  test("equals what the alert raises on the same readings, also beside an alert about sensor faults", async () => {
    const rule = fc.record({
      alarmValue: fc.integer({ min: 10, max: 40 }),
      alarmHysteresis: fc.integer({ min: 0, max: 10 }),
      onDelay: fc.constantFrom(0, 60, 400),
      offDelay: fc.constantFrom(0, 60, 400),
      times: fc.constantFrom(1, 2),
      window: fc.constantFrom(1000, 5000),
    });
    // Far below 0 the sensor is faulty.
    const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.constant(-40)), {
      minLength: 5,
      maxLength: 40,
    });
    const condition = AlarmCondition.fault;
    await fc.assert(
      fc.asyncProperty(rule, values, fc.constantFrom(0, 1, undefined), async (more, sequence, enabled) => {
        watchable = await aWatchableStation(server.world, owner);
        if (enabled !== undefined) await server.as(owner)(alarms.add, aLowFlow(watchable, { condition, enabled }));
        const { alarmId } = await server.as(owner)(alarms.add, aLowFlow(watchable, more));
        await send(sequence.map((value, index) => [(sequence.length - index) * 2, value]));
        const raised = await server.world.db
          .selectFrom("alerts")
          .select(["created_time", "cleared_time"])
          .where("alarm_id", "=", alarmId)
          .orderBy("created_time")
          .execute();
        const { occurrences } = await tried({ ...more, days: 1 });
        // What is due by now and not by the newest reading is the timer's.
        const byReadings = occurrences.filter(({ from }) => from.getTime() <= now - 120_000);
        const ended = (to: Date | null) => (to && to.getTime() <= now - 120_000 ? to : null);
        expect(byReadings.map(({ from, to }) => [from, ended(to)])).toEqual(
          raised.map(({ created_time, cleared_time }) => [created_time, cleared_time]),
        );
      }),
      { numRuns: 20 },
    );
  });

  test("is the same when most of its hours are packed and need not be read", async () => {
    const low = (at: number) => at % 97 === 5 || (at > 150 && at < 162);
    await send(Array.from({ length: 46 * 6 }, (_, at) => [(46 * 6 - at) * 10, low(at) ? 10 : 50]));
    const rule = { onDelay: 60, offDelay: 3600 };
    const before = await tried(rule);
    expect(before).toMatchObject({ total: 4, readings: 46 * 6 });
    const hour = Math.floor(now / 3_600_000);
    await packRange(server.world.pool, hour - 48, hour);
    expect(await unpackedReadings(server.world.pool, Number(watchable.station.channels.AI3))).not.toHaveLength(46 * 6);
    expect(await tried(rule)).toEqual(before);
  });

  test("needs no recipients", async () => {
    await send([[100, 10]]);
    expect(await tried({ notifyUserIds: [] })).toMatchObject({ total: 1 });
  });

  test("is refused like adding it, and for other classes", async () => {
    const other = await anOwner(server.world);
    await expect(tried({}, other)).rejects.toMatchObject({ code: Code.notFound });
    await expect(tried({ alarmValue: 900 })).rejects.toMatchObject({ message: "Enter the correct alarm value" });
    await expect(tried({ days: 31 })).rejects.toMatchObject({ message: "An alert is tried on 1 to 30 days" });
    await expect(tried({ alarmClass: AlertClass.threshold })).rejects.toMatchObject({
      message: "Only custom alerts can be tried",
    });
    const support = await aSupportView(server.world, owner);
    await expect(tried({}, support)).rejects.toMatchObject({ code: Code.notAllowed });
    expect(await tried({}, await anInstaller(server.world, owner))).toMatchObject({ total: 0 });
  });

  test("runs once at a time for an account", async () => {
    await send([[100, 10]]);
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => tried()));
    const refused = all.filter((each) => each.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(6);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: Code.conflict });
  });
});
