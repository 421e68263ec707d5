import { DeviceType, Model } from "@telltale/contract/domains/devices";
import type { MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CallFailed } from "../../platform/device-calls.ts";
import { DataType, decodePayload, encodePayload, metricValue, type WireMetric } from "../../sparkplug/payload.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import type { TestDevice } from "../../test/test-devices.ts";

/** A command as an edge node reads it: topic and values by name or alias. */
interface Command {
  topic: string;
  values: Record<string, number | boolean | string | null | undefined>;
}

const int = (name: string, intValue: number): WireMetric => ({ name, datatype: DataType.int32, intValue });
const reboot = (of: "Node" | "Device"): WireMetric => ({
  name: `${of} Control/Reboot`,
  datatype: DataType.boolean,
  booleanValue: false,
});
const output = (alias?: number): WireMetric => ({
  name: "Outputs/DO1",
  datatype: DataType.boolean,
  booleanValue: false,
  ...(alias === undefined ? {} : { alias }),
});

const reader = (client: MqttClient) => {
  const commands: Command[] = [];
  client.on("message", (topic, payload) => {
    const decoded = decodePayload(payload, { bytes: payload.length, metrics: 1_000 });
    if (typeof decoded === "string") throw new Error(decoded);
    const values = decoded.metrics.map((metric) => [metric.name ?? metric.alias, metricValue(metric, metric.datatype)]);
    commands.push({ topic, values: Object.fromEntries(values) });
  });
  return commands;
};

describe("writing to Sparkplug B devices", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const anEdge = async (token: string) => {
    const client = await world.mqtt(token);
    const commands = reader(client);
    let seq = -1;
    await client.subscribeAsync(["spBv1.0/plant/NCMD/edge/#", "spBv1.0/plant/DCMD/edge/#"]);
    const publish = (type: string, metrics: WireMetric[], sub = "") => {
      seq = type === "NBIRTH" ? 0 : seq + 1;
      const topic = `spBv1.0/plant/${type}/edge${sub && `/${sub}`}`;
      return client.publishAsync(topic, encodePayload({ timestamp: Date.now(), seq, metrics }), { qos: 1 });
    };
    return { publish, commands };
  };
  const next = (commands: Command[], count: number) => expect.poll(() => commands.length).toBe(count);

  const confirmed = ({ deviceId }: TestDevice) =>
    world.db.selectFrom("device_settings").select("confirmed_version").where("device_id", "=", deviceId).execute();

  it("sends settings after the birth and after a change, as far as they were declared, and takes their version as confirmed", async () => {
    const device = await world.device();
    const { publish, commands } = await anEdge(device.accessToken);
    const declared = ["version", "reportInterval", "AI1/channelSwitch"].map((name) => int(`Settings/${name}`, 0));
    await publish("NBIRTH", [...declared, int("Settings/AI1/nonsense", 0)]);
    await next(commands, 1);
    expect(commands[0]).toEqual({
      topic: "spBv1.0/plant/NCMD/edge",
      values: { "Settings/version": 1, "Settings/reportInterval": 60, "Settings/AI1/channelSwitch": 1 },
    });
    await world.db.updateTable("devices").set({ periodicity: 30 }).where("device_id", "=", device.deviceId).execute();
    world.bus.emitHere("deviceChange", { deviceId: device.deviceId });
    await next(commands, 2);
    expect(commands[1]?.values).toMatchObject({ "Settings/reportInterval": 30 });
    await publish("NDATA", [int("Settings/version", 1)]);
    await expect.poll(() => confirmed(device)).toEqual([{ confirmed_version: 1 }]);
    expect(await world.readings(device, "AI1")).toEqual([]);
  });

  it("drives an output by its declared type and alias; done is what the device reports back", async () => {
    const device = await world.device({ model: Model.digitalOutput });
    const { publish, commands } = await anEdge(device.accessToken);
    await publish("NBIRTH", [output(5)]);
    const call = world.gateway.callDevice(device.deviceId, "setOutput", { channel: "DO1", value: 1 });
    await next(commands, 1);
    expect(commands[0]).toEqual({ topic: "spBv1.0/plant/NCMD/edge", values: { 5: true } });
    const answers: unknown[] = [];
    void call.then((answer) => answers.push(answer));
    await publish("NDATA", [{ alias: 5, booleanValue: false }]);
    expect(answers).toEqual([]);
    await publish("NDATA", [{ alias: 5, booleanValue: true }]);
    expect(await call).toEqual({ success: true });
  });

  it("counts an output as done at once when its last report is the level that is written", async () => {
    const device = await world.device({ model: Model.digitalOutput });
    const { publish, commands } = await anEdge(device.accessToken);
    const drive = (value: number) => world.gateway.callDevice(device.deviceId, "setOutput", { channel: "DO1", value });
    await publish("NBIRTH", [{ ...output(5), booleanValue: true }]);
    expect(await drive(1)).toEqual({ success: true });
    await next(commands, 1);
    expect(commands[0]?.values).toEqual({ 5: true });
    const off = drive(0);
    await next(commands, 2);
    await publish("NDATA", [{ alias: 5, booleanValue: false }]);
    expect(await off).toEqual({ success: true });
    expect(await drive(0)).toEqual({ success: true });
    await publish("NBIRTH", [{ name: "Outputs/DO1", alias: 5, datatype: DataType.boolean, isNull: true }]);
    const answers: unknown[] = [];
    const pending = drive(0).then((answer) => answers.push(answer));
    await next(commands, 4);
    expect(answers, "a birth that does not tell the level").toEqual([]);
    await publish("NDATA", [{ alias: 5, booleanValue: false }]);
    await pending;
  });

  it("takes nothing historical as done or confirmed, and stores it as a reading", async () => {
    const device = await world.device({ model: Model.digitalOutput });
    const { publish, commands } = await anEdge(device.accessToken);
    await publish("NBIRTH", [output(5), int("Settings/version", 0)]);
    await next(commands, 1);
    const answers: unknown[] = [];
    const call = world.gateway
      .callDevice(device.deviceId, "setOutput", { channel: "DO1", value: 1 })
      .then((answer) => answers.push(answer));
    await next(commands, 2);
    const timestamp = Date.now() - 60_000;
    const isHistorical = true;
    await publish("NDATA", [
      { alias: 5, booleanValue: true, timestamp, isHistorical },
      { ...int("Settings/version", 1), timestamp, isHistorical },
    ]);
    expect((await world.readings(device, "DO1")).map(({ value }) => value)).toEqual([1, 0]);
    expect(answers).toEqual([]);
    expect(await confirmed(device)).not.toEqual([{ confirmed_version: 1 }]);
    await publish("NDATA", [{ alias: 5, booleanValue: true }, int("Settings/version", 1)]);
    await call;
    expect(answers).toEqual([{ success: true }]);
    await expect.poll(() => confirmed(device)).toEqual([{ confirmed_version: 1 }]);
  });

  it("reaches a device behind the edge node by DCMD", async () => {
    const master = await world.device();
    const sub = await world.device({
      deviceType: DeviceType.sub,
      model: Model.digitalOutput,
      parentDeviceId: master.deviceId,
    });
    const { publish, commands } = await anEdge(master.accessToken);
    await publish("NBIRTH", []);
    await publish("DBIRTH", [output(), reboot("Device")], sub.deviceSnId);
    const call = world.gateway.callDevice(sub.deviceId, "setOutput", { channel: "DO1", value: 1 });
    await next(commands, 1);
    const topic = `spBv1.0/plant/DCMD/edge/${sub.deviceSnId}`;
    expect(commands[0]).toEqual({ topic, values: { "Outputs/DO1": true } });
    await publish("DDATA", [{ ...output(), booleanValue: true }], sub.deviceSnId);
    expect(await call).toEqual({ success: true });
    expect(await world.gateway.callDevice(sub.deviceId, "restart", {})).toEqual({ success: true });
    await next(commands, 2);
    expect(commands[1]).toEqual({ topic, values: { "Device Control/Reboot": true } });
  });

  it("restarts an edge node that declares the metric; otherwise fails as 'not listening'", async () => {
    const [can, cannot] = [await world.device(), await world.device()];
    const first = await anEdge(can.accessToken);
    await first.publish("NBIRTH", [reboot("Node")]);
    expect(await world.gateway.callDevice(can.deviceId, "restart", {})).toEqual({ success: true });
    await next(first.commands, 1);
    expect(first.commands[0]?.values).toEqual({ "Node Control/Reboot": true });
    const second = await anEdge(cannot.accessToken);
    await second.publish("NBIRTH", [int("Inputs/AI1", 3)]);
    const refused = world.gateway.callDevice(cannot.deviceId, "restart", {});
    await expect(refused).rejects.toEqual(new CallFailed("not-listening"));
    expect(second.commands).toEqual([]);
  });
});
