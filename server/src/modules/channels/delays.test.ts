import { ChannelMessage, tooLong } from "@telltale/contract/channel-types/checks";
import { Key } from "@telltale/contract/channel-types/keys";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { channels, ReadingStatus } from "@telltale/contract/domains/channels";
import { history } from "@telltale/contract/domains/readings/history";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTelemetry, type Telemetry } from "../../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../../test/test-alarm-times.ts";
import { aLowFlow } from "../../test/test-alarms.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

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

type Keys = Record<string, unknown>;
const idOf = (code: string) => Number(station.watchable.station.channels[code]);
const save = (channelKeys: Keys, code = "AI3") => {
  const payload = [{ channelId: idOf(code), channelKeys }];
  return server.as(owner)(channelSettings.modify, { deviceId: station.watchable.station.deviceId, payload } as never);
};
const high = (more: Keys = {}): Keys => ({ [Key.higherAlarm]: 80, [Key.higherHysteresis]: 5, ...more });
const raised = () => station.raised(AlertClass.threshold);
const phases = () =>
  server.world.db
    .selectFrom("alarm_phases")
    .select(["holds", "due_ts"])
    .where("channel_id", "=", idOf("AI3"))
    .execute();
/** The phase that begins at a time: the newest reading has been evaluated by the settings of a save. */
const begunAnew = (due: number) =>
  vi.waitFor(async () => expect(await phases()).toEqual([{ holds: true, due_ts: station.start + due * 1000 }]));

describe("a channel's own limit with delays", () => {
  test("is raised when the value was beyond it for its delay, and clears when it was back for its clear delay", async () => {
    await save(high({ [Key.higherDelay]: 30, [Key.higherClearDelay]: 20 }));
    await station.send(0, 90);
    const value = () => server.as(owner)(channels.value, { deviceChannelId: idOf("AI3") });
    expect(await value()).toMatchObject({ value: 90, status: ReadingStatus.good });
    await station.wait(29);
    expect(await raised()).toEqual([]);
    await station.wait(31);
    expect(await raised()).toEqual([[30, null, 90, 90]]);
    expect(await value()).toMatchObject({ status: ReadingStatus.alarm });
    await station.send(40, 70);
    await station.send(50, 85);
    await station.send(55, 70);
    await station.wait(74);
    expect(await raised()).toEqual([[30, null, 90, 90]]);
    await station.wait(76);
    expect(await raised()).toEqual([[30, 75, 90, 90]]);
  });

  test("leaves a shorter excursion alone; the low one has delays of its own", async () => {
    await save({ [Key.lowerAlarm]: 10, [Key.lowerHysteresis]: 2, [Key.lowerDelay]: 10, ...high() });
    await station.send(0, 5);
    await station.send(8, 50);
    await station.send(20, 90);
    await station.send(30, 5);
    await station.send(60, 50);
    expect(await raised()).toEqual([
      [20, 30, 90, 90],
      [40, 60, 5, 5],
    ]);
  });

  test("waits on after a restart, and on another node", async () => {
    await save(high({ [Key.higherDelay]: 30 }));
    await station.send(0, 90);
    const another = createTelemetry({ ...server.world, metrics: new Registry() });
    await station.send(35, 70, { by: another });
    await another.stop();
    expect(await raised()).toEqual([[30, 35, 90, 90]]);
  });

  test("a contact's alarm has a delay, too: what is shorter raises nothing", async () => {
    await save({ [Key.inputMode]: 2, [Key.alarmData]: 1, [Key.alarmDelay]: 10 }, "DI1");
    const level = (at: number, value: number) => station.send(at, value, { channel: "DI1" });
    await level(0, 1);
    await level(5, 0);
    await level(20, 1);
    await station.wait(31);
    await level(40, 0);
    expect(await raised()).toEqual([[30, 40, 1, 1]]);
  });
});

describe("a save", () => {
  test("that changes something else of the channel leaves what waits to its delay", async () => {
    await save(high({ [Key.higherDelay]: 30, [Key.higherClearDelay]: 60 }));
    await station.send(0, 90);
    await station.wait(10);
    await save({ [Key.reportInterval]: 90 });
    await station.wait(31);
    expect(await raised()).toEqual([[30, null, 90, 90]]);
    await save({ [Key.lowerAlarm]: 10, [Key.lowerHysteresis]: 0 });
    await station.send(40, 70);
    await server.as(owner)(channelSettings.modifyBasic, { channelId: idOf("AI3"), channelName: "Coolant" });
    await server.as(owner)(alarms.add, aLowFlow(station.watchable));
    await station.wait(99);
    expect(await raised()).toEqual([[30, null, 90, 90]]);
    await station.wait(101);
    expect(await raised()).toEqual([[30, 100, 90, 90]]);
  });

  test.each([
    ["a shorter delay", { [Key.higherDelay]: 30 }, 30],
    ["a longer one", { [Key.higherDelay]: 90 }, 90],
    ["another limit", { [Key.higherAlarm]: 85 }, 60],
  ])("with %s has its alarm begin anew", async (_what, change, delay) => {
    await save(high({ [Key.higherDelay]: 60 }));
    await station.send(0, 90);
    await station.wait(20);
    await save(change);
    await begunAnew(20 + delay);
    await station.wait(20 + delay - 1);
    expect(await raised()).toEqual([]);
    await station.wait(20 + delay + 1);
    expect(await raised()).toEqual([[20 + delay, null, 90, 90]]);
  });

  test("that sets a limit below the newest value waits for its delay; one without a delay raises at once what was waiting", async () => {
    await station.send(0, 90);
    await station.wait(10);
    await save(high({ [Key.higherDelay]: 30 }));
    await begunAnew(40);
    expect(await raised()).toEqual([]);
    await station.wait(20);
    await save({ [Key.higherDelay]: 0 });
    await vi.waitFor(async () => expect(await raised()).toEqual([[20, null, 90, 90]]));
    expect(await phases()).toEqual([]);
  });

  test("that changes the delay of an alert which waits to clear ends it; the next one waits by the new one", async () => {
    await save(high({ [Key.higherClearDelay]: 3600 }));
    await station.send(0, 90);
    await station.send(10, 70);
    await station.wait(20);
    await save({ [Key.higherClearDelay]: 10 });
    expect(await raised()).toEqual([[0, 20, 90, 90]]);
    await station.send(30, 90);
    await station.send(40, 70);
    await station.wait(51);
    expect(await raised()).toMatchObject([{}, [30, 50, 90, 90]]);
  });

  test("counts a delay by the device's clock, also where that is slow", async () => {
    await station.send(0, 90, { time: -300 });
    await station.wait(10);
    await save(high({ [Key.higherDelay]: 30 }));
    await begunAnew(40);
    await station.send(20, 90, { time: -280 });
    expect(await raised()).toEqual([]);
    await station.wait(41);
    expect(await raised()).toEqual([[-260, null, 90, 90]]);
  });
});

test("what a save began anew goes on at a reading much later, by the new delay", async () => {
  await save({ [Key.higherAlarm]: 95, [Key.higherHysteresis]: 0 });
  await station.send(0, 90);
  await station.wait(700);
  await save({ [Key.higherAlarm]: 80, [Key.higherDelay]: 3600 });
  await begunAnew(4300);
  await station.send(900, 90);
  expect(await raised()).toEqual([]);
  await station.wait(4301);
  expect(await raised()).toEqual([[4300, null, 90, 90]]);
});

describe("readings that a device has kept", () => {
  const kept = (time: number, value: number) => station.send(3000, value, { time });

  test("are judged by the delay of their own time, which ends with its period", async () => {
    await save(high({ [Key.higherDelay]: 30 }));
    await station.wait(1000);
    await save({ [Key.higherDelay]: 600 });
    await kept(100, 90);
    await kept(140, 50);
    await kept(900, 90);
    await kept(1100, 50);
    await kept(1200, 90);
    await kept(1500, 50);
    expect(await raised()).toEqual([
      [130, 140, 90, 90],
      [930, 1100, 90, 90],
    ]);
  });

  test("begin anew under a shorter delay, and raise nothing in the time of the longer one", async () => {
    await save(high({ [Key.higherDelay]: 600 }));
    await station.wait(1000);
    await save({ [Key.higherDelay]: 30 });
    await kept(900, 90);
    await kept(1010, 90);
    await kept(1100, 50);
    expect(await raised()).toEqual([[1040, 1100, 90, 90]]);
  });
});

describe("the settings", () => {
  const keysOf = async () => {
    const { channels: all } = await server.as(owner)(channelSettings.setup, {
      deviceId: station.watchable.station.deviceId,
    });
    return all.find(({ channelCn }) => channelCn === "AI3")?.channelKeys ?? {};
  };
  const shown = async () => {
    const [period] = (await server.as(owner)(history.periods, { channelId: idOf("AI3") })).data;
    return (period?.channelSettingChangeDto ?? []).map(({ name, nameVal }) => `${name}: ${nameVal}`);
  };

  test("tell a delay where one is set, in the list, the period and the audit log; 0 is as if it was not set", async () => {
    await save(high());
    expect(Object.keys(await keysOf()).filter((key) => key.endsWith("Delay"))).toEqual([]);
    await expect(save({ [Key.higherDelay]: 0 })).rejects.toMatchObject({ message: ChannelMessage.unchanged });
    await save({ [Key.higherDelay]: 30, [Key.higherClearDelay]: 0 });
    expect(await keysOf()).toMatchObject({ [Key.higherDelay]: 30 });
    expect(await keysOf()).not.toHaveProperty(Key.higherClearDelay);
    expect(await shown()).toContain("Higher Alarm Delay: 30 s");
    const [entry] = (await server.as(owner)(audit.list)).data;
    expect(entry?.changes).toEqual([{ field: "Cooling water Higher Alarm Delay", before: null, after: "30 s" }]);
    await save({ [Key.higherDelay]: 0 });
    expect(await keysOf()).not.toHaveProperty(Key.higherDelay);
    expect((await shown()).filter((text) => text.includes("Delay"))).toEqual([]);
  });

  test("of an alarm that is turned off end with it, also by a client that does not know delays", async () => {
    await save(high({ [Key.higherDelay]: 30 }));
    await save({ [Key.higherAlarm]: null, [Key.higherHysteresis]: null });
    await save(high());
    expect(await keysOf()).not.toHaveProperty(Key.higherDelay);
  });

  test.each([
    [-1, ChannelMessage.whole],
    [1.5, ChannelMessage.whole],
    [86_401, tooLong(86_400)],
    ["", ChannelMessage.blank],
    ["soon", ChannelMessage.number],
  ])("refuse a delay of %o", async (value, message) => {
    await expect(save(high({ [Key.higherClearDelay]: value }))).rejects.toMatchObject({
      message: `Cooling water, ${Key.higherClearDelay}: ${message}`,
    });
  });
});
