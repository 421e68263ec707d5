import { alarms } from "@telltale/contract/domains/alarms";
import { plans } from "@telltale/contract/domains/alerting/escalation";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { ContactStatus } from "@telltale/contract/domains/people/contacts";
import { ContactType } from "@telltale/contract/notification-channels";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AlarmInput, aLowFlow, aWatchableStation, type Watchable } from "../test/test-alarms.ts";
import { anAlert } from "../test/test-alerts.ts";
import { aContact } from "../test/test-contacts.ts";
import { aDevice, type TestDevice } from "../test/test-devices.ts";
import { aPlan } from "../test/test-escalation.ts";
import { aDeviceManager, anAdmin, anInstaller, anOwner, aViewer, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let owner: Person;
let watchable: Watchable;
let station: TestDevice;
let contact: number;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  watchable = await aWatchableStation(server.world, owner);
  ({ station, contact } = watchable);
});
afterAll(() => server.close());

const asOwner = () => server.as(owner);
const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const aCustom = (more: AlarmInput = {}) => aLowFlow(watchable, more);
const add = async (more: AlarmInput = {}, as = asOwner()) => (await as(alarms.add, aCustom(more))).alarmId;
const infoOf = (alarmId: number) => asOwner()(alarms.info, { alarmId });
const posted = async (call: { path: string }, payload: object) =>
  (await server.app.inject({ method: "POST", url: `${call.path}?token=${owner.token}`, payload })).json();

describe("a custom alert that is made", () => {
  test("returns what it watches, its recipients and its creator", async () => {
    const phone = await aContact(server.world, owner, {
      type: ContactType.phone,
      name: "Abel",
      status: ContactStatus.pending,
    });
    const alarmId = await add({ notifyUserIds: [contact, phone, contact] });
    expect(await infoOf(alarmId)).toMatchObject({
      alarmName: "Flow low",
      alarmClass: AlertClass.custom,
      deviceName: "Station",
      deviceSnId: station.deviceSnId,
      channelName: "Cooling water",
      unit: "m³/h",
      type: AlertType.low,
      alarmValue: 20,
      alarmHysteresis: 2,
      notifyUserIds: [phone, contact],
      notifyUsers: [
        { type: ContactType.phone, name: "Abel Tester", status: ContactStatus.pending },
        { type: ContactType.mail, name: "Nora Tester", status: ContactStatus.verified },
      ],
      createdBy: "Olga Tester",
      version: 1,
    });
    expect(await asOwner()(alarms.names)).toEqual([
      { alarmId, alarmName: "Flow low", alarmClass: AlertClass.custom, deviceName: "Station" },
    ]);
  });

  test("may come as a form or as JSON, as the other calls do", async () => {
    const answer = await posted(alarms.add, { ...aCustom(), notifyUserIds: String(contact) });
    expect(answer).toMatchObject({ code: 0, result: { alarmId: expect.any(Number) } });
  });

  const blank = {
    alarmName: "",
    alarmClass: "",
    deviceId: "",
    deviceChannelId: "",
    type: "",
    alarmValue: "",
    alarmHysteresis: "",
    notifyUserIds: "",
  };
  test.each([
    [blank, "Alert name cannot be blank"],
    [{ ...blank, alarmName: "Flow" }, "Please enter an Alert type"],
    [{ ...blank, alarmName: "Flow", alarmClass: 1 }, "Please select a Device"],
    [{ deviceChannelId: "", type: "", alarmValue: "" }, "Please select a Channel"],
    [{ type: "", alarmValue: "", alarmHysteresis: "" }, "Please select a threshold type"],
    [{ alarmValue: "", alarmHysteresis: "", notifyUserIds: "" }, "Enter alert value cannot be blank"],
    [{ alarmHysteresis: " ", notifyUserIds: "" }, "Enter alert hysteresis cannot be blank"],
    [{ notifyUserIds: "" }, "No email or phone number selected"],
    [{ notifyUserIds: undefined }, "No email or phone number selected"],
    [{ alarmName: "Seventeen letters" }, "Alert name has at most 16 characters"],
    [{ alarmClass: 3 }, "Please enter an Alert type"],
    [{ type: 4 }, "Please select a threshold type"],
    [{ alarmValue: "much" }, "Enter the correct alarm value"],
    [{ alarmValue: 100.1 }, "Enter the correct alarm value"],
    [{ alarmValue: -0.1 }, "Enter the correct alarm value"],
    [{ alarmHysteresis: -1 }, "The hysteresis cannot be negative"],
    [{ alarmHysteresis: 80.1 }, "With this hysteresis the alert would never clear. Enter at most 80"],
  ])("with %j is refused with '%s'", async (wrong, msg) => {
    const answer = await posted(alarms.add, { ...aCustom(), notifyUserIds: String(contact), ...wrong });
    expect(answer).toMatchObject({ code: 422, msg });
    expect((await asOwner()(alarms.list)).data).toEqual([]);
  });

  test("is measured by its channel: ZERO and SPAN, the levels of a contact, a count, an NTC's table, a register without ends", async () => {
    const motor = await aDevice(server.world, owner, { model: Model.motorController, deviceType: DeviceType.sub });
    const probe = await aDevice(server.world, owner, {
      channels: { AI1: { settings: { sensorType: 5, zero: 0, span: 10 } } },
    });
    const counter = await aDevice(server.world, owner, {
      model: Model.digitalInput,
      channels: { DI1: { settings: { inputMode: 3 } } },
    });
    const on = (device: TestDevice, code: string, type: 1 | 2, alarmValue: number, alarmHysteresis = 0) =>
      add({
        deviceId: device.deviceId,
        deviceChannelId: Number(device.channels[code]),
        type,
        alarmValue,
        alarmHysteresis,
      });
    const { high, low } = AlertType;
    await on(station, "DI1", high, 1);
    await on(station, "DO1", low, 0);
    await on(station, "DI1", high, 1, 0.5);
    await on(counter, "DI1", high, 5000, 4999);
    await on(motor, "I A", high, -1e9, 1e12);
    await on(probe, "AI1", high, 140, 150);
    await on(station, "AI3", high, 100, 100);
    for (const [device, code, type, value, hysteresis] of [
      [station, "DI1", high, 0, 0],
      [station, "DI1", high, 1, 1],
      [station, "DO1", low, 1, 0],
      [station, "DI1", high, 2, 0],
      [counter, "DI1", high, 0, 0],
      [counter, "DI1", low, -1, 0],
      [probe, "AI1", high, 151, 0],
    ] as const)
      await expect(on(device, code, type, value, hysteresis), `${code} ${type} ${value}`).rejects.toEqual(refusal(422));
    expect(await asOwner()(alarms.channels, { deviceId: probe.deviceId })).toMatchObject([
      { channelCn: "AI1", zero: -50, span: 150, isDiscrete: false },
      {},
      { zero: 0, span: 100 },
      {},
    ]);
  });

  test("watches no other plant's device, channel or contact, and no other device's channel", async () => {
    const stranger = await anOwner(server.world);
    const foreign = await aDevice(server.world, stranger);
    const other = await aDevice(server.world, owner);
    for (const wrong of [
      { deviceId: foreign.deviceId, deviceChannelId: Number(foreign.channels.AI3) },
      { deviceChannelId: Number(foreign.channels.AI3) },
      { deviceChannelId: Number(other.channels.AI3) },
      { notifyUserIds: [contact, await aContact(server.world, stranger)] },
    ])
      await expect(add(wrong)).rejects.toEqual(refusal(404));
    expect((await asOwner()(alarms.list)).data).toEqual([]);
  });
});

describe("an alert about limits or notifications", () => {
  const about = (alarmClass: NonNullable<AlarmInput["alarmClass"]>): AlarmInput => ({
    alarmName: "Pump house",
    alarmClass,
    deviceId: station.deviceId,
  });

  test("names a device and nothing else, whatever is sent, and needs no recipient", async () => {
    const alarmId = await add({ ...about(AlertClass.threshold), notifyUserIds: [] });
    expect(await infoOf(alarmId)).toMatchObject({
      deviceChannelId: null,
      type: null,
      alarmValue: null,
      alarmHysteresis: null,
      notifyUsers: [],
      unit: "",
    });
    const blank = { deviceChannelId: "", type: "", alarmValue: "", alarmHysteresis: "", notifyUserIds: "" };
    expect(await posted(alarms.add, { ...about(AlertClass.notification), ...blank })).toMatchObject({ code: 0 });
    expect(await posted(alarms.add, { ...about(AlertClass.threshold), deviceId: "" })).toMatchObject({
      msg: "Please select a Device",
    });
  });

  test("is the owner's to make, change and delete; the others look", async () => {
    const alarmId = await add(about(AlertClass.notification));
    const custom = await add();
    for (const person of [
      await anAdmin(server.world, owner),
      await aDeviceManager(server.world, owner),
      await anInstaller(server.world, owner),
    ]) {
      const as = server.as(person);
      await expect(as(alarms.add, aCustom(about(AlertClass.threshold)))).rejects.toEqual(refusal(403));
      await expect(as(alarms.update, { ...aCustom(), alarmId })).rejects.toEqual(refusal(403));
      const turned = { ...aCustom(about(AlertClass.threshold)), alarmId: custom };
      await expect(as(alarms.update, turned)).rejects.toEqual(refusal(403));
      await expect(as(alarms.remove, { alarmId })).rejects.toEqual(refusal(403));
      expect((await as(alarms.systemList)).data).toMatchObject([{ alarmId }]);
      await add({}, as);
    }
  });
});

describe("the lists", () => {
  test("hold their classes, the latest first, and are filtered", async () => {
    const custom = await add();
    server.world.clock.pass(3_600_000);
    const low = await add({ alarmName: "100%_full", type: AlertType.low });
    const threshold = await add({ alarmClass: AlertClass.threshold });
    const notification = await add({ alarmClass: AlertClass.notification });
    const list = async (filter: object) => (await asOwner()(alarms.list, filter)).data.map((row) => row.alarmId);
    const system = async (filter: object) =>
      (await asOwner()(alarms.systemList, filter)).data.map((row) => row.alarmId);
    expect(await list({})).toEqual([low, custom]);
    expect(await system({})).toEqual([notification, threshold]);
    expect(await system({ alarmClass: [AlertClass.threshold] })).toEqual([threshold]);
    expect(await list({ alarmClass: [AlertClass.threshold] })).toEqual([]);
    expect(await list({ alarmName: "%_" })).toEqual([low]);
    expect(await list({ deviceSnId: station.deviceSnId.slice(2).toLowerCase() })).toEqual([low, custom]);
    expect(await list({ deviceSnId: "nowhere" })).toEqual([]);
    expect(await list({ createdEndTime: new Date(server.world.clock.now() - 1) })).toEqual([custom]);
    expect(await list({ page: 2, size: 1 })).toEqual([custom]);
    const stranger = server.as(await anOwner(server.world));
    expect((await stranger(alarms.list)).total + (await stranger(alarms.systemList)).total).toBe(0);
    await expect(server.as(await aViewer(server.world, owner))(alarms.list)).rejects.toEqual(refusal(403));
  });
});

describe("an alert's escalation plan", () => {
  test("is the plant's default until another is chosen; clients that do not know it leave it", async () => {
    const alarmId = await add();
    expect(await infoOf(alarmId)).toMatchObject({ planId: null, planName: "" });
    const planId = await aPlan(server.world, owner);
    await asOwner()(alarms.update, { ...aCustom(), alarmId, planId });
    expect(await infoOf(alarmId)).toMatchObject({ planId, planName: "Pump station" });
    const { rules } = (await asOwner()(plans.list)).find((plan) => plan.planId === planId) ?? {};
    expect(rules).toBe(1);
    await asOwner()(alarms.update, { ...aCustom(), alarmId });
    expect(await infoOf(alarmId)).toMatchObject({ planId });
    await asOwner()(alarms.update, { ...aCustom(), alarmId, planId: 0 });
    expect(await infoOf(alarmId)).toMatchObject({ planId: null });
    const [, , changed] = (await asOwner()(audit.list)).data.filter(({ action }) => action === "alarm.edit");
    expect(changed?.changes).toEqual([{ field: "escalationPlan", before: null, after: "Pump station" }]);
  });

  test("that is blank is the default, and one of another plant is not found", async () => {
    const planId = await aPlan(server.world, owner);
    const alarmId = await add({ planId });
    expect(
      await posted(alarms.update, { ...aCustom(), alarmId, notifyUserIds: `${contact}`, planId: "" }),
    ).toMatchObject({ code: 0 });
    expect(await infoOf(alarmId)).toMatchObject({ planId: null });
    const foreign = await aPlan(server.world, await anOwner(server.world));
    await expect(add({ planId: foreign })).rejects.toEqual(refusal(404));
  });

  test("decides who is notified of an alert that waits already, and is the default again when it is deleted", async () => {
    const alarmId = await add();
    const planId = await aPlan(server.world, owner);
    const alertId = await anAlert(server.world, owner, { deviceId: station.deviceId });
    const { db, clock } = server.world;
    const started_time = clock.date();
    await db.insertInto("escalations").values({ alert_id: alertId, started_time, due_time: null }).execute();
    await asOwner()(alarms.update, { ...aCustom(), alarmId, planId });
    const due = () =>
      db.selectFrom("escalations").select("due_time").where("alert_id", "=", alertId).executeTakeFirst();
    expect((await due())?.due_time).toEqual(clock.date());
    await asOwner()(plans.remove, { planId });
    expect(await infoOf(alarmId)).toMatchObject({ planId: null });
  });
});
