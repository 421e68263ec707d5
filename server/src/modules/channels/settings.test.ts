import { Code, Message } from "@telltale/contract/call/codes";
import { ChannelMessage } from "@telltale/contract/channel-types/checks";
import { Key } from "@telltale/contract/channel-types/keys";
import { RefusalReason } from "@telltale/contract/device-api";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { channels, ReadingStatus, SensorType, SourceType, ValueForm } from "@telltale/contract/domains/channels";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { history } from "@telltale/contract/domains/readings/history";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { buildApp } from "../../app.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner, aSupportView, aViewer, type Person } from "../../test/test-people.ts";
import { clientsOf } from "../../test/test-server.ts";
import { aStation, connectedTo, report, type Station } from "../../test/test-station.ts";

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

let world: DeviceWorld;
let app: FastifyInstance;
let { owner, as, station, idOf, setup, channelOf, save }: Station = {} as Station;

beforeAll(async () => {
  world = await createDeviceWorld();
  app = await buildApp(world);
});
beforeEach(async () => {
  ({ owner, as, station, idOf, setup, channelOf, save } = await aStation(world, app));
});
afterAll(async () => {
  await app.close();
  await world.close();
});

type Keys = Record<string, unknown>;
const periodsOf = async (code: string) => (await as(history.periods, { channelId: idOf(code) })).data;
const shownValue = (code: string) => as(channels.value, { deviceChannelId: idOf(code) });
const statusesOf = async (device = station) => (await world.alerts(device)).map(({ status }) => status);
const { triggered, cleared } = AlertStatus;

describe("a save", () => {
  test("holds from that moment: readings after it are scaled anew, those before it as they were", async () => {
    const { client } = await connectedTo(world, station);
    await report(world, client, { AI1: 12 });
    expect(await shownValue("AI1")).toMatchObject({ value: 8 });
    world.clock.pass(1000);
    const before = world.clock.now();
    world.clock.pass(1000);
    const from = world.clock.date();
    await save({ AI1: { [Key.span]: 32, [Key.higherAlarm]: 30, [Key.unit]: "psi" } });
    expect(await shownValue("AI1"), "what was measured in bar is not shown in psi").toMatchObject({
      unit: "psi",
      status: ReadingStatus.noData,
    });
    world.clock.pass(1000);
    await report(world, client, { AI1: 12 }, before);
    await report(world, client, { AI1: 12 });
    await vi.waitFor(async () =>
      expect(await shownValue("AI1")).toMatchObject({ value: 16, status: ReadingStatus.good }),
    );
    expect((await world.readings(station, "AI1")).map(({ value }) => value)).toEqual([8, 8, 16]);

    const [now, earlier] = await periodsOf("AI1");
    expect([now?.startTime, now?.endTime, earlier?.endTime]).toEqual([from, null, from]);
    const spanOf = (period = now) => period?.channelSettingChangeDto.find(({ name }) => name === "SPAN")?.nameVal;
    expect([spanOf(), spanOf(earlier)]).toEqual(["32 psi", "16 bar"]);
    const chart = await as(history.chart, { logId: Number(earlier?.logGroupId) });
    expect(chart).toMatchObject({ unit: "bar", dataYs: [8, 8] });
    expect(await periodsOf("AI2"), "another channel's settings go on").toHaveLength(1);
  });

  test("evaluates the new limits at once, without waiting for the next reading", async () => {
    const { client } = await connectedTo(world, station);
    await report(world, client, { AI1: 12.5 });
    expect(await statusesOf()).toEqual([triggered]);
    await save({ AI1: { [Key.higherAlarm]: 12 } });
    await vi.waitFor(async () => expect(await statusesOf()).toEqual([cleared]));
    await vi.waitFor(async () =>
      expect(await shownValue("AI1")).toMatchObject({ value: 8.5, status: ReadingStatus.good }),
    );
    world.clock.pass(1000);
    await save({ AI1: { [Key.higherAlarm]: 5 } });
    await vi.waitFor(async () => expect(await statusesOf()).toEqual([cleared, triggered]));
    expect(await shownValue("AI1")).toMatchObject({ status: ReadingStatus.alarm });
    await save({ AI1: { [Key.higherAlarm]: null, [Key.higherHysteresis]: null } });
    expect(await statusesOf(), "in the save itself").toEqual([cleared, cleared]);
    expect((await channelOf("AI1"))?.channelKeys).not.toHaveProperty(Key.higherAlarm);
  });

  test("of several channels is one: a single mistake, and nothing is saved", async () => {
    const before = await setup();
    const mistake = { AI1: { [Key.span]: 20 }, DI1: { [Key.reportInterval]: 2.5 } };
    await expect(save(mistake)).rejects.toEqual(
      refusal(Code.invalid, `DI1, ${Key.reportInterval}: ${ChannelMessage.whole}`),
    );
    expect(await setup()).toEqual(before);
    const [other] = [await aDevice(world, await anOwner(world))];
    const foreign = [{ channelId: idOf("AI1"), channelKeys: { [Key.span]: 20 } }];
    const also = { channelId: Number(other.channels.AI1), channelKeys: {} };
    const { deviceId } = station;
    await expect(as(channelSettings.modify, { deviceId, payload: [...foreign, also] })).rejects.toEqual(
      refusal(Code.notFound),
    );
    expect(await setup()).toEqual(before);
    await save({ AI1: { [Key.span]: 20 }, DI1: { [Key.inputMode]: 3, [Key.alarmData]: 500 } });
    expect((await periodsOf("DI1"))[0]?.startTime).toEqual((await periodsOf("AI1"))[0]?.startTime);
    expect(await channelOf("DI1")).toMatchObject({ channelAnalogId: 102, channelKeys: { [Key.alarmData]: 500 } });
  });

  test("that changes nothing is refused, and leaves no period", async () => {
    const keys = (await channelOf("AI1"))?.channelKeys ?? {};
    for (const changes of [{}, { AI1: {} }, { AI1: keys }] as Record<string, Keys>[])
      await expect(save(changes)).rejects.toEqual(refusal(Code.invalid, ChannelMessage.unchanged));
    expect(await periodsOf("AI1")).toHaveLength(1);
  });

  test("has its period even twice in a millisecond", async () => {
    await save({ AI1: { [Key.higherAlarm]: 7 } });
    await save({ AI1: { [Key.higherAlarm]: 6 } });
    const [last, middle, first] = await periodsOf("AI1");
    expect([middle?.endTime, first?.endTime]).toEqual([last?.startTime, middle?.startTime]);
    expect(Number(last?.startTime) - Number(middle?.startTime)).toBe(1);
  });

  test("of the second of two editors is refused, and nothing is overwritten", async () => {
    const { settingsVersion } = await setup();
    const tries = await Promise.allSettled(
      [7, 6].map((limit) => save({ AI1: { [Key.higherAlarm]: limit } }, { settingsVersion })),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = tries.find((each) => each.status === "rejected");
    expect(refused?.reason).toEqual(refusal(Code.conflict, Message.changedMeanwhile));
    const now = await setup();
    expect(now.settingsVersion).toBe(settingsVersion + 1);
    expect(now.savedBy).not.toBe("");
    await save({ AI1: { [Key.higherAlarm]: 5 } }, { settingsVersion: now.settingsVersion });
  });

  test("is in the audit log with each setting before and after", async () => {
    await save({ AI1: { [Key.span]: 20 } });
    const [entry] = (await as(audit.list)).data;
    expect(entry).toMatchObject({ action: "channel.edit", target: expect.stringContaining("Device") });
    expect(entry?.changes).toEqual([{ field: "Pressure SPAN", before: "16 bar", after: "20 bar" }]);
  });

  test("is refused where a custom alert would not fit any more, which is named", async () => {
    const of = { plant_id: owner.plantId, device_id: station.deviceId, channel_id: idOf("AI1") };
    await world.db
      .insertInto("alarms")
      .values({
        ...of,
        alarm_name: "Burst",
        alarm_class: 1,
        type: 1,
        alarm_value: 14,
        alarm_hysteresis: 1,
        created_time: world.clock.date(),
      })
      .execute();
    await expect(save({ AI1: { [Key.span]: 10 } })).rejects.toEqual(
      refusal(Code.invalid, "Pressure: the alert 'Burst' would not fit. Please change or delete it first"),
    );
    await save({ AI1: { [Key.higherAlarm]: 7 } });
  });

  test("is refused where a custom alert depends on the channel and would never be raised again, which is named", async () => {
    const of = { plant_id: owner.plantId, device_id: station.deviceId, channel_id: idOf("AI2") };
    const limit = { alarm_name: "Low flow", alarm_class: 1, type: 2, alarm_value: 1, alarm_hysteresis: 0 } as const;
    const gate = { gate_channel_id: idOf("AI1"), gate_type: GateType.above, gate_value: 12 };
    await world.db
      .insertInto("alarms")
      .values({ ...of, ...limit, ...gate, created_time: world.clock.date() })
      .execute();
    const message = "Pressure: the alert 'Low flow' depends on it and would never be raised";
    await expect(save({ AI1: { [Key.span]: 10 } })).rejects.toEqual(
      refusal(Code.invalid, `${message}. Please change or delete it first`),
    );
    await save({ AI1: { [Key.span]: 14 } });
  });

  test("is no viewer's nor a support view's, and of no other plant", async () => {
    const change = {
      deviceId: station.deviceId,
      payload: [{ channelId: idOf("AI1"), channelKeys: { [Key.span]: 20 } }],
    };
    const by = (person: Person) => clientsOf(app)(person)(channelSettings.modify, change);
    await expect(by(await aViewer(world, owner))).rejects.toEqual(refusal(Code.notAllowed));
    await expect(by(await aSupportView(world, owner))).rejects.toEqual(refusal(Code.notAllowed, Message.readOnly));
    await expect(by(await anOwner(world))).rejects.toEqual(refusal(Code.notFound));
    const motor = await aDevice(world, owner, {
      model: Model.motorController,
      deviceType: DeviceType.sub,
      parentDeviceId: station.deviceId,
    });
    await expect(save({ "I A": { [Key.reportInterval]: 90 } }, { device: motor })).rejects.toEqual(
      refusal(Code.invalid, "A motor controller is set up at the controller itself"),
    );
  });
});

describe("a channel", () => {
  const basic = (input: Record<string, unknown>) =>
    as(channelSettings.modifyBasic, { channelId: idOf("AI1"), ...input });

  test("that is switched off says nothing more: its alert is cleared, its readings are refused", async () => {
    const { client } = await connectedTo(world, station);
    await report(world, client, { AI1: 12.5 });
    expect(await statusesOf()).toEqual([triggered]);
    await basic({ channelSwitch: 0 });
    expect(await statusesOf()).toEqual([cleared]);
    expect(await shownValue("AI1")).toMatchObject({ status: ReadingStatus.noData });
    await vi.waitFor(async () => {
      world.clock.pass(1000);
      await report(world, client, { AI1: 12.6 });
      await world.telemetry.refusals.flush();
      const { rows } = await world.pool.query("SELECT 1 FROM device_refusals WHERE device_id = $1 AND reason = $2", [
        station.deviceId,
        RefusalReason.channelOff,
      ]);
      expect(rows).toHaveLength(1);
    });
    await basic({ channelSwitch: 1 });
    await vi.waitFor(async () => {
      world.clock.pass(1000);
      await report(world, client, { AI1: 12.6 });
      expect(await shownValue("AI1")).toMatchObject({ value: 8.6, status: ReadingStatus.alarm });
    });
  });

  test("that is off keeps an interval that is too short, and is not switched on with it", async () => {
    await basic({ channelSwitch: 0 });
    await world.db
      .updateTable("devices")
      .set({ report_interval_limit: 30 })
      .where("device_id", "=", station.deviceId)
      .execute();
    await save({ AI1: { [Key.reportInterval]: 5 } });
    await expect(basic({ channelSwitch: 1 })).rejects.toEqual(
      refusal(Code.invalid, `Pressure, ${Key.reportInterval}: Cannot be less than: 30`),
    );
  });

  test("is named, and so is an output together with what drives it", async () => {
    await basic({ channelName: "Discharge pressure" });
    expect(await channelOf("AI1")).toMatchObject({ channelName: "Discharge pressure" });
    expect(await periodsOf("AI1"), "a name is no setting").toHaveLength(1);
    const source = { deviceChannelId: idOf("AI1"), type: SourceType.high };
    const channelKeys = { [Key.mode]: 2, [Key.source]: source };
    await as(channelSettings.modifyOutput, { channelId: idOf("DO1"), channelName: "Beacon", channelKeys });
    expect(await channelOf("DO1")).toMatchObject({ channelName: "Beacon", channelKeys });
    const [period] = await periodsOf("DO1");
    expect(period?.channelSettingChangeDto).toContainEqual({
      name: "Souce",
      nameVal: "Discharge pressure High",
      val: "AI1",
    });
    const unset = { channelKeys: { [Key.source]: { ...source, type: SourceType.low } } };
    await expect(as(channelSettings.modifyOutput, { channelId: idOf("DO1"), ...unset })).rejects.toEqual(
      refusal(Code.invalid, `Beacon, ${Key.source}: ${ChannelMessage.choice}`),
    );
    await save({ AI1: { [Key.lowerAlarm]: 1, [Key.lowerHysteresis]: 0 }, DO1: unset.channelKeys });
    expect((await channelOf("DO1"))?.channelKeys[Key.source]).toMatchObject({ type: SourceType.low });
    expect(await as(channelSettings.outputs, { deviceId: station.deviceId })).toMatchObject([
      { channelName: "Beacon" },
      { channelCn: "DO2" },
    ]);
  });

  test("is scaled by ZERO and SPAN from the moment at which its values are declared to arrive as the sensor's signal", async () => {
    const { client } = await connectedTo(world, station);
    await report(world, client, { AI3: 12 });
    expect(await shownValue("AI3"), "already scaled, as its model has it").toMatchObject({ value: 12 });
    await save({ AI3: { [Key.valueForm]: ValueForm.electrical, [Key.span]: 50 } });
    world.clock.pass(1000);
    await report(world, client, { AI3: 12 });
    expect(await shownValue("AI3")).toMatchObject({ value: 25 });
    const [entry] = (await as(audit.list)).data;
    expect(entry?.changes).toContainEqual({ field: "AI3 Value form", before: null, after: "Sensor signal" });
  });

  test("that becomes a thermistor has its table's ends for a range", async () => {
    const keys = {
      [Key.inputSensorType]: SensorType.ntc,
      [Key.analog]: 2,
      [Key.unit]: "°C",
      [Key.ntcType]: "10K B3950",
    };
    await save({ AI1: keys });
    const { client } = await connectedTo(world, station);
    world.clock.pass(1000);
    await report(world, client, { AI1: 10_000 });
    expect(await shownValue("AI1")).toMatchObject({ value: 25, unit: "°C" });
    const choices = await as(channelSettings.choices, { deviceId: station.deviceId });
    expect(choices[0]).toMatchObject({ channelCn: "AI1", zero: -50, span: 150 });
  });
});
