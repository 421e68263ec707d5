import { Key } from "@telltale/contract/channel-types/keys";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { AlertType } from "@telltale/contract/domains/alerts";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../test/test-alarm-times.ts";
import { type AlarmInput, aLowFlow } from "../test/test-alarms.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let telemetry: Telemetry;
let owner: Person;
let station: TimedStation;

beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  station = await aTimedStation(server, telemetry, owner);
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

const add = (more: AlarmInput): Promise<{ alarmId: number }> =>
  server.as(owner)(alarms.add, aLowFlow(station.watchable, more));
const { send, wait, raised } = {
  send: (...given: Parameters<TimedStation["send"]>) => station.send(...given),
  wait: (...given: Parameters<TimedStation["wait"]>) => station.wait(...given),
  raised: () => station.raised(),
};
const newestEntry = async () => {
  const row = await server.world.db
    .selectFrom("alerts")
    .select(["alert_id", "alarm_type", "value", "value_unit", "threshold", "msg"])
    .where("device_id", "=", station.watchable.station.deviceId)
    .where("alarm_class", "=", 1)
    .orderBy("alert_id", "desc")
    .executeTakeFirstOrThrow();
  return row;
};
const phases = () =>
  server.world.db
    .selectFrom("alarm_phases")
    .selectAll()
    .where("channel_id", "=", Number(station.watchable.station.channels.AI3))
    .execute();
/** Another telemetry, as after a restart or on another node. */
const another = async (work: (by: Telemetry) => Promise<void>): Promise<void> => {
  const by = createTelemetry({ ...server.world, metrics: new Registry() });
  await work(by);
  await by.stop();
};

describe("a rate of change", () => {
  const rising = {
    condition: AlarmCondition.rate,
    type: AlertType.high,
    alarmValue: 5,
    alarmHysteresis: 1,
    window: 60,
  };

  test("is raised by a rise over the window, with the rate as its value, also across a restart", async () => {
    await add(rising);
    await send(0, 10);
    await send(30, 11);
    await send(60, 12);
    expect(await raised()).toEqual([]);
    await another(async (by) => {
      await send(90, 17, { by });
      expect(await raised()).toEqual([[90, null, 6, 6]]);
      await send(120, 19, { by });
    });
    expect(await raised()).toEqual([[90, null, 6, 7]]);
    await send(150, 19);
    expect(await raised()).toEqual([[90, 150, 6, 7]]);
    expect(await newestEntry()).toMatchObject({ alarm_type: AlertType.high, value_unit: "m³/h/min", threshold: 5 });
  });

  test("is raised by a fall when it is Low", async () => {
    await add({ ...rising, type: AlertType.low });
    await send(0, 50);
    await send(60, 56);
    await send(120, 50);
    expect(await raised()).toEqual([[120, null, -6, -6]]);
    expect(await newestEntry()).toMatchObject({ alarm_type: AlertType.low, threshold: -5 });
  });
});

describe("no change", () => {
  test("is raised by a reading that has stayed the same for the window, and ended by one that has not", async () => {
    await add({ condition: AlarmCondition.noChange, alarmHysteresis: 0.5, window: 60 });
    await send(0, 40);
    await send(20, 42);
    await send(50, 42.4);
    await another((by) => send(79, 41.6, { by }));
    expect(await raised()).toEqual([]);
    // No reading has shown that it stays.
    await wait(200);
    expect(await raised()).toEqual([]);
    await send(210, 42.1);
    expect(await raised()).toEqual([[210, null, null, null]]);
    const { alert_id, ...entry } = await newestEntry();
    expect(entry).toMatchObject({ alarm_type: AlertType.system, msg: "No change of more than 0.5 m³/h for 1 minute" });
    const info = await server.as(owner)(alertEntries.info, { alarmLogId: alert_id });
    expect(info).toMatchObject({ alarmName: "Flow low", msg: entry.msg });
    await another((by) => send(220, 42.6, { by }));
    expect(await raised()).toEqual([[210, 220, null, null]]);
  });
});

describe("no data", () => {
  const missing = { condition: AlarmCondition.noData, window: 300 };
  const another3 = { channel: "AI4" };

  test("is raised when a channel falls silent on a device that lives, and ends with its next reading, however late", async () => {
    await add(missing);
    await send(0, 40);
    for (let at = 30; at <= 330; at += 30) await send(at, 1, another3);
    expect(await raised()).toEqual([]);
    await send(390, 1, another3);
    expect(await raised()).toEqual([[300, null, null, null]]);
    expect(await newestEntry()).toMatchObject({ alarm_type: AlertType.system, msg: "No data for 5 minutes" });
    await send(400, 41, { time: -100 });
    expect(await raised()).toEqual([[300, 400, null, null]]);
    for (let at = 430; at <= 830; at += 30) await send(at, 1, another3);
    expect(await raised()).toEqual([
      [300, 400, null, null],
      [700, null, null, null],
    ]);
  });

  test("is not raised while the device itself is silent, and waits anew when it is heard again", async () => {
    await add(missing);
    await send(0, 40);
    await wait(2000);
    expect(await raised()).toEqual([]);
    await telemetry.offlineWatch.run();
    await send(2400, 1, another3);
    await wait(2430);
    await send(2430, 40);
    await wait(2700);
    expect(await raised()).toEqual([]);
  });

  test("writes nothing while the device is offline", async () => {
    await add(missing);
    await send(0, 40);
    await wait(2000);
    await telemetry.offlineWatch.run();
    const before = await phases();
    await wait(4000);
    expect(await phases()).toEqual(before);
    expect(before).toHaveLength(1);
  });

  test("writes nothing for readings that come in time", async () => {
    await add(missing);
    await send(0, 40);
    const before = await phases();
    await send(100, 41);
    await send(200, 42);
    expect(await phases()).toEqual(before);
    expect(before).toHaveLength(1);
  });

  test("is raised by a channel that has never sent, and by another node", async () => {
    await send(0, 1, another3);
    await add(missing);
    for (let at = 30; at <= 240; at += 30) await send(at, 1, another3);
    await another(async (by) => {
      for (let at = 270; at <= 690; at += 30) await send(at, 1, { ...another3, by });
    });
    const [[at] = []] = await raised();
    // Silence counts from a node's start at the earliest.
    expect(at).toBeGreaterThanOrEqual(300);
    expect(at).toBeLessThanOrEqual(600);
  });
});

describe("a sensor fault", () => {
  test("is raised by a reading beyond the sensor's range, and limits leave it to it", async () => {
    await add({ alarmName: "Low" });
    await add({ alarmName: "Fault", condition: AlarmCondition.fault });
    await send(0, 50);
    await send(10, -20);
    expect(await raised()).toEqual([[10, null, null, null]]);
    expect(await newestEntry()).toMatchObject({ msg: "Sensor fault: beyond the sensor's range" });
    await send(20, 10);
    expect(await raised()).toEqual([
      [10, 20, null, null],
      [20, null, 10, 10],
    ]);
  });

  test("is told by a limit where no rule is about it", async () => {
    await add({});
    await send(0, -20);
    expect(await raised()).toEqual([[0, null, -20, -20]]);
    expect(await newestEntry()).toMatchObject({ msg: "Sensor fault: beyond the sensor's range" });
  });
});

describe("an alarm whose condition is changed", () => {
  test("ends what it has raised, and a client that does not know conditions leaves them as they are", async () => {
    const { alarmId } = await add({ condition: AlarmCondition.fault });
    await send(0, -20);
    const rate = {
      condition: AlarmCondition.rate,
      type: AlertType.high,
      alarmValue: 5,
      alarmHysteresis: 0,
      window: 120,
    };
    await server.as(owner)(alarms.update, { ...aLowFlow(station.watchable, rate), alarmId });
    expect((await raised())[0]?.[1]).not.toBeNull();
    const { window: _, condition: __, ...older } = rate;
    await server.as(owner)(alarms.update, { ...aLowFlow(station.watchable, { ...older, alarmValue: 6 }), alarmId });
    expect(await server.as(owner)(alarms.info, { alarmId })).toMatchObject({
      condition: 2,
      window: 120,
      alarmValue: 6,
    });
  });
});

describe("what can never be raised, or never cleared, is refused", () => {
  test.each([
    [
      { condition: 2, window: 60, alarmValue: 101, alarmHysteresis: 0 },
      "Within its range this channel can't change that fast for that time. Enter at most 100",
    ],
    [
      { condition: 2, window: 60, alarmValue: 5, alarmHysteresis: 5 },
      "A steady value would not clear the alert. Enter less than 5",
    ],
    [{ condition: 2, window: 60, alarmValue: 0 }, "Enter how much it changes in a minute, as a number above 0"],
    [{ condition: 2 }, "Enter the time over which it changes"],
    [
      { condition: 3, window: 60, alarmHysteresis: 100 },
      "No value of this channel would clear the alert. Enter less than 100",
    ],
    [{ condition: 3 }, "Enter how long it must not change"],
    [{ condition: 3, window: 60, times: 2 }, "This condition counts no occurrences. Enter 1 as how often"],
    [{ condition: 4 }, "Enter how long nothing must arrive"],
    [{ condition: 4, window: 60, onDelay: 10 }, "The time without data is the delay already. Enter 0"],
    [
      { condition: 4, window: 60, offDelay: 10 },
      "The alert ends when data arrives. Enter 0 as the time until it clears",
    ],
    [{ condition: 6 }, "Choose a condition"],
  ] as [AlarmInput, string][])("%o", async (more, message) => {
    await expect(add(more)).rejects.toMatchObject({ message });
  });

  test("also by a change of one part: what it leaves as it was counts", async () => {
    const { alarmId } = await add({ times: 5, window: 60 });
    const change = (more: AlarmInput) =>
      server.as(owner)(alarms.update, { ...aLowFlow(station.watchable, more), alarmId });
    await expect(change({ onDelay: 20 })).rejects.toMatchObject({
      message: "With this delay it can't occur so often in that time. Enter a longer time or a shorter delay",
    });
    await change({ onDelay: 10 });
  });

  test("on a contact, which has neither a rate nor a range", async () => {
    const contact = { deviceChannelId: Number(station.watchable.station.channels.DI1) };
    await expect(add({ ...contact, condition: 5 })).rejects.toMatchObject({
      message: "This channel has no range that a reading could be beyond. Choose another channel",
    });
    await expect(add({ ...contact, condition: 2, window: 60 })).rejects.toMatchObject({
      message: "A contact or a count has no rate. Choose a measured value",
    });
  });
});

describe("a channel whose scale changes", () => {
  test("no longer has what waits under the old one", async () => {
    await add({ onDelay: 300 });
    await send(0, 10);
    expect(await phases()).toHaveLength(1);
    const { station: device } = station.watchable;
    await server.as(owner)(channelSettings.modify, {
      deviceId: device.deviceId,
      payload: [{ channelId: Number(device.channels.AI3), channelKeys: { [Key.span]: 200 } }],
    });
    expect(await phases()).toEqual([]);
    await wait(400);
    expect(await raised()).toEqual([]);
  });
});
