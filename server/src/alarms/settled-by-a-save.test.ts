import { Key } from "@telltale/contract/channel-types/keys";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../test/test-alarm-times.ts";
import { aLowFlow } from "../test/test-alarms.ts";
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

const save = (higherAlarm: number | null) => {
  const { deviceId, channels } = station.watchable.station;
  const channelKeys = { [Key.higherAlarm]: higherAlarm, [Key.higherHysteresis]: higherAlarm === null ? null : 0 };
  const payload = [{ channelId: Number(channels.AI3), channelKeys }];
  return server.as(owner)(channelSettings.modify, { deviceId, payload } as never);
};
const raised = () => station.raised(AlertClass.threshold);
const isRaised = (expected: (number | null)[][]) => vi.waitFor(async () => expect(await raised()).toEqual(expected));

/** The device sends at 3600 what it has measured at these times (AI3), and goes on; by the same node, or by one that has just started. */
const upload = async (values: Record<number, number>, where: string): Promise<void> => {
  const by = where === "after a restart" ? createTelemetry({ ...server.world, metrics: new Registry() }) : telemetry;
  for (const [time, value] of Object.entries(values)) await station.send(3600, value, { by, time: Number(time) });
  if (by !== telemetry) await by.stop();
};

describe.each(["on the same node", "after a restart"])("readings kept from before a save, %s", (where) => {
  test.each([95, null])("do not end the alert that the save has raised; the limit was %s before", async (before) => {
    if (before !== null) await save(before);
    await station.send(0, 90);
    await station.wait(1200);
    await save(80);
    await isRaised([[1200, null, 90, 90]]);
    await upload({ 300: 90, 900: 90, 1500: 90, 3600: 90 }, where);
    expect(await raised()).toEqual([[1200, null, 90, 90]]);
    await upload({ 3601: 70 }, where);
    expect(await raised()).toEqual([[1200, 3601, 90, 90]]);
  });

  test.each([95, null])("do not raise again what the save has ended; the limit is %s now", async (after) => {
    await save(80);
    await station.send(0, 90);
    await station.wait(1200);
    await save(after);
    await isRaised([[0, 1200, 90, 90]]);
    await upload({ 300: 90, 900: 91, 1500: 90, 3600: 90 }, where);
    expect(await raised()).toEqual([[0, 1200, 90, 90]]);
    await save(85);
    await vi.waitFor(async () => expect(await raised()).toHaveLength(2));
  });

  test("are judged by the limits of their own time where the save has raised and ended nothing", async () => {
    await save(80);
    await station.send(0, 50);
    await station.wait(1200);
    await save(95);
    await upload({ 300: 85, 900: 50, 1500: 90, 3600: 96 }, where);
    expect(await raised()).toEqual([
      [300, 900, 85, 85],
      [3600, null, 96, 96],
    ]);
  });
});

test("a device whose clock is some minutes slow has its alert raised, and cleared, by the first reading after a save", async () => {
  await save(80);
  await station.send(0, 90);
  await station.wait(600);
  await save(95);
  await isRaised([[0, 600, 90, 90]]);
  await station.send(610, 97, { time: 400 });
  expect(await raised()).toEqual([
    [0, 600, 90, 90],
    [400, null, 97, 97],
  ]);
  await station.send(615, 50, { time: 405 });
  expect((await raised())[1]).toEqual([400, 405, 97, 97]);
  await save(40);
  await vi.waitFor(async () => expect((await raised())[2]).toEqual([615, null, 50, 50]));
  await station.send(630, 30, { time: 420 });
  expect((await raised())[2]).toEqual([615, 615, 50, 50]);
});

test("a limit that is set while the device is offline is applied when it is heard, although its channel waits for data, too", async () => {
  await server.as(owner)(alarms.add, aLowFlow(station.watchable, { condition: AlarmCondition.noData, window: 300 }));
  await save(95);
  await station.send(0, 90);
  await station.wait(2000);
  await telemetry.offlineWatch.run();
  await save(80);
  await station.send(2400, 1, { channel: "AI4" });
  expect(await raised()).toEqual([[2400, null, 90, 90]]);
});
