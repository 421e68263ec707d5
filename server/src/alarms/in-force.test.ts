import type { Input } from "@telltale/contract/call/call";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import { channels, ReadingStatus } from "@telltale/contract/domains/channels";
import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { KnownChannel } from "../telemetry/devices/known-device.ts";
import { createTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { aContact } from "../test/test-contacts.ts";
import { aDevice, type TestDevice } from "../test/test-devices.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { reevaluate } from "./reevaluate.ts";
import { ruleKey } from "./rules/rule-key.ts";

let server: TestServer;
let telemetry: Telemetry;
let owner: Person;
let station: TestDevice;
let contact: number;

beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
  await telemetry.start();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  contact = await aContact(server.world, owner);
  const free = { settings: { zero: 0, span: 100 } };
  const limited = { settings: { zero: 0, span: 100, higherAlarm: 80, higherHysteresis: 5 } };
  station = await aDevice(server.world, owner, { channels: { AI1: limited, AI3: free, AI4: free } });
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

const idOf = (code: string) => Number(station.channels[code]);

/** Sends readings and resolves after their commit; current ones, or buffered ones of another time. */
const send = async (values: Record<string, number>, at?: number): Promise<void> => {
  server.world.clock.pass(1000);
  const ts = at ?? server.world.clock.now();
  const device = await telemetry.registry.find({ token: station.accessToken });
  if (!device) throw new Error("The device is not known");
  const known = Object.keys(values).map((code) => device.channels.get(code) as KnownChannel);
  const { promise, resolve } = Promise.withResolvers<string>();
  const readings = { channels: known, times: known.map(() => ts), values: Object.values(values) };
  telemetry.writer.submit({ devices: [device], ...readings, done: resolve });
  expect(await promise).toBe("stored");
};

type RequestInput = Partial<Input<typeof alarms.add>>;
const aCustom = (more: RequestInput = {}): RequestInput => ({
  alarmName: "Flow",
  alarmClass: AlertClass.custom,
  deviceId: station.deviceId,
  deviceChannelId: idOf("AI3"),
  type: AlertType.high,
  alarmValue: 50,
  alarmHysteresis: 5,
  notifyUserIds: [contact],
  ...more,
});
const add = async (more: RequestInput = {}) => (await server.as(owner)(alarms.add, aCustom(more))).alarmId;
const update = (alarmId: number, more: RequestInput) => server.as(owner)(alarms.update, { ...aCustom(more), alarmId });
const remove = (alarmId: number) => server.as(owner)(alarms.remove, { alarmId });

const log = () =>
  server.world.db
    .selectFrom("alerts")
    .select(["channel_id", "alarm_type", "status", "threshold", "cleared_time", "alarm_class"])
    .where("device_id", "=", station.deviceId)
    .where("channel_id", "is not", null)
    .orderBy("alert_id")
    .execute();
const statuses = async () => (await log()).map(({ status }) => status);
const { triggered, cleared } = AlertStatus;
const shownStatus = async (code: string) =>
  (await server.as(owner)(channels.value, { deviceChannelId: idOf(code) })).status;

describe("a custom alert", () => {
  test("is evaluated from the next reading after the save", async () => {
    await send({ AI3: 60 });
    await add();
    expect(await statuses()).toEqual([]);
    await send({ AI3: 60 });
    expect(await log()).toMatchObject([{ alarm_class: AlertClass.custom, status: triggered, threshold: 50 }]);
  });

  test("that is deleted clears what it has raised, at once and everywhere, and the log keeps it", async () => {
    const alarmId = await add();
    await send({ AI3: 60 });
    expect(await shownStatus("AI3")).toBe(ReadingStatus.alarm);
    const heard: LiveMessage[] = [];
    const stop = server.world.bus.on(
      "live",
      ({ plantId, message }) => plantId === owner.plantId && heard.push(message),
    );
    await remove(alarmId);
    const received = { cmd: LiveCommand.alertChange, deviceId: station.deviceId };
    await vi.waitFor(() => expect(heard).toContainEqual(received));
    stop();
    expect(await log()).toMatchObject([{ status: cleared, cleared_time: server.world.clock.date() }]);
    expect(await shownStatus("AI3")).toBe(ReadingStatus.good);
    await send({ AI3: 70 });
    expect(await statuses()).toEqual([cleared]);
    expect(await shownStatus("AI3")).toBe(ReadingStatus.good);
  });

  test("does not clear alerts of other rules of its channel", async () => {
    const [one] = [await add(), await add({ alarmValue: 55 })];
    await send({ AI3: 60 });
    await remove(one);
    expect(await statuses()).toEqual([cleared, triggered]);
    expect(await shownStatus("AI3")).toBe(ReadingStatus.alarm);
  });

  test.each<[string, () => RequestInput]>([
    ["another channel", () => ({ deviceChannelId: idOf("AI4") })],
    ["the other side", () => ({ type: AlertType.low })],
    ["no channel", () => ({ alarmClass: AlertClass.threshold })],
  ])("that watches %s now clears its earlier alerts, and is evaluated anew", async (_what, change) => {
    const alarmId = await add();
    await send({ AI3: 60, AI4: 10 });
    await update(alarmId, change());
    expect(await statuses()).toEqual([cleared]);
    await send({ AI3: 40, AI4: 60 });
    const isRaised = change().alarmClass === undefined;
    expect(await statuses()).toEqual(isRaised ? [cleared, triggered] : [cleared]);
  });

  test.each([
    ["beyond the newest value", { alarmValue: 62 }, cleared],
    ["and still says it", { alarmValue: 40 }, triggered],
    ["only in its hysteresis", { alarmHysteresis: 20 }, triggered],
    ["in its name", { alarmName: "Other" }, triggered],
  ])("that changes %s", async (_how, change, status) => {
    const alarmId = await add();
    await send({ AI3: 60 });
    await update(alarmId, change);
    expect(await statuses()).toEqual([status]);
    await send({ AI3: 61 });
    expect(await statuses()).toEqual([status]);
    await send({ AI3: 63 });
    expect(await statuses()).toEqual(status === cleared ? [cleared, triggered] : [triggered]);
  });

  test("with more hysteresis than before keeps an alert open that the old one would have cleared", async () => {
    const alarmId = await add();
    await send({ AI3: 60 });
    await send({ AI3: 46 });
    await update(alarmId, { alarmHysteresis: 10 });
    await send({ AI3: 41 });
    expect(await statuses()).toEqual([triggered]);
    await update(alarmId, { alarmHysteresis: 5 });
    expect(await statuses()).toEqual([cleared]);
  });

  test("raised by a batch under way when its rule was deleted is cleared by the next reading", async () => {
    const { db, clock } = server.world;
    const key = ruleKey.custom(2 ** 30, idOf("AI3"), AlertType.high);
    const of = { plant_id: owner.plantId, device_id: station.deviceId, channel_id: idOf("AI3"), rule_key: key };
    const alert = { alarm_class: AlertClass.custom, alarm_type: AlertType.high, status: triggered };
    await db
      .insertInto("alerts")
      .values({ ...of, ...alert, created_time: clock.date() })
      .execute();
    await send({ AI3: 99 });
    expect(await statuses()).toEqual([cleared]);
    expect(await shownStatus("AI3")).toBe(ReadingStatus.good);
  });
});

describe("a change of a channel's settings", () => {
  /** Starts a settings period like a save, and clears alerts that have no rule any more. */
  const change = (code: string, settings: object) =>
    server.world.db.transaction().execute(async (trx) => {
      const now = server.world.clock.date();
      const { settings: before } = await trx
        .updateTable("settings_periods")
        .set({ end_time: now })
        .where("channel_id", "=", idOf(code))
        .where("end_time", "is", null)
        .returning("settings")
        .executeTakeFirstOrThrow();
      const after = JSON.stringify({ ...(before as object), ...settings });
      await trx
        .insertInto("settings_periods")
        .values({ channel_id: idOf(code), start_time: now, settings: after })
        .execute();
      await reevaluate(trx, [idOf(code)], now);
    });

  test("that takes a limit away clears what it has raised", async () => {
    await send({ AI1: 90 });
    expect(await log()).toMatchObject([{ alarm_class: AlertClass.threshold, status: triggered }]);
    server.world.clock.pass(1000);
    await change("AI1", { higherAlarm: undefined });
    expect(await statuses()).toEqual([cleared]);
    expect(await shownStatus("AI1")).toBe(ReadingStatus.good);
  });

  test("that keeps the limit is evaluated with the next reading: the newest one was under the old settings", async () => {
    await send({ AI1: 90 });
    server.world.clock.pass(1000);
    await change("AI1", { higherAlarm: 95 });
    server.world.bus.emitHere("deviceChange", { deviceId: station.deviceId });
    expect(await statuses()).toEqual([triggered]);
    await send({ AI1: 89 });
    expect(await statuses()).toEqual([cleared]);
  });

  /** Limits of 80 for an hour, then 95 with other intervals for another; the device was offline during both. Returns the start. */
  const whileAway = async (): Promise<number> => {
    const { clock } = server.world;
    const start = clock.now();
    clock.pass(3_600_000);
    await change("AI1", { higherAlarm: 95, reportInterval: 7 });
    clock.pass(3_600_000);
    server.world.bus.emitHere("deviceChange", { deviceId: station.deviceId });
    return start;
  };
  const entries = () =>
    server.world.db
      .selectFrom("alerts")
      .select(["threshold", "report_interval", "created_time", "cleared_time"])
      .where("channel_id", "=", idOf("AI1"))
      .orderBy("created_time")
      .execute();

  test("leaves what the device kept from before to the settings of that time: its limit and its interval", async () => {
    const start = await whileAway();
    await send({ AI1: 90 }, start + 600_000);
    await send({ AI1: 70 }, start + 1_200_000);
    await send({ AI1: 90 }, start + 5_400_000);
    expect(await entries()).toMatchObject([
      {
        threshold: 80,
        report_interval: 60,
        created_time: new Date(start + 600_000),
        cleared_time: new Date(start + 1_200_000),
      },
    ]);
    await send({ AI1: 96 }, start + 6_000_000);
    expect(await entries()).toMatchObject([{}, { threshold: 95, report_interval: 7, cleared_time: null }]);
  });

  test("ends what was raised by the settings before with the first reading under the new ones that is below them", async () => {
    const start = await whileAway();
    await send({ AI1: 90 }, start + 600_000);
    await send({ AI1: 89 }, start + 4_000_000);
    expect(await entries()).toMatchObject([{ threshold: 80, cleared_time: new Date(start + 4_000_000) }]);
  });

  test("is not undone by a device whose clock is some minutes slow", async () => {
    await send({ AI1: 70 });
    const { clock, bus } = server.world;
    clock.pass(600_000);
    await change("AI1", { higherAlarm: 60 });
    bus.emitHere("deviceChange", { deviceId: station.deviceId });
    await send({ AI1: 70 }, clock.now() - 300_000);
    expect(await entries()).toMatchObject([{ threshold: 60, cleared_time: null }]);
    await send({ AI1: 70 }, clock.now() - 300_000);
    expect(await entries()).toHaveLength(1);
  });
});
