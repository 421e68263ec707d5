import { topics } from "@telltale/contract/device-api";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { SensorType, ValueForm } from "@telltale/contract/domains/channels";
import { Model } from "@telltale/contract/domains/devices";
import type { FastifyInstance } from "fastify";
import type { MqttClient } from "mqtt";
import type { DeviceWorld } from "./device-world.ts";
import { aDevice, type TestDevice } from "./test-devices.ts";
import { anOwner } from "./test-people.ts";
import { clientsOf } from "./test-server.ts";

/** 4-20 mA, 0..16 bar, Higher Alarm at 8. */
const transmitter = {
  name: "Pressure",
  settings: {
    valueForm: ValueForm.electrical,
    sensorType: SensorType.milliamps4to20,
    span: 16,
    higherAlarm: 8,
    higherHysteresis: 0.5,
  },
};

type Keys = Record<string, unknown>;

/** Creates a new owner's main device with every kind of channel, and a pressure transmitter at AI1; with functions to read and save its settings. */
export const aStation = async (world: DeviceWorld, app: FastifyInstance) => {
  const owner = await anOwner(world);
  const as = clientsOf(app)(owner);
  const station = await aDevice(world, owner, { model: Model.mixed, channels: { AI1: transmitter } });
  world.clock.pass(60_000);
  const idOf = (code: string, device = station): number => Number(device.channels[code]);
  const setup = ({ deviceId } = station) => as(channelSettings.setup, { deviceId });
  const channelOf = async (code: string, device = station) =>
    (await setup(device)).channels.find(({ channelCn }) => channelCn === code);
  const save = (changes: Record<string, Keys>, more: { device?: TestDevice; settingsVersion?: number } = {}) => {
    const { device = station, ...version } = more;
    const payload = Object.entries(changes).map(([code, channelKeys]) => ({
      channelId: idOf(code, device),
      channelKeys,
    }));
    return as(channelSettings.modify, { deviceId: device.deviceId, ...version, payload } as never);
  };
  return { owner, as, station, idOf, setup, channelOf, save };
};
export type Station = Awaited<ReturnType<typeof aStation>>;

/** Subscribes to a device's topic; returns the client and the received messages, newest last. */
export const connectedTo = async (world: DeviceWorld, device: TestDevice, topic: string = topics.attributes) => {
  const client = await world.mqtt(device.accessToken);
  const received: unknown[] = [];
  client.on("message", (_topic, payload) => received.push(JSON.parse(payload.toString())));
  await client.subscribeAsync(topic, { qos: 1 });
  return { client, received };
};

/** Reports values now or with another time. */
export const report = (
  world: DeviceWorld,
  client: MqttClient,
  values: Record<string, number>,
  ts = world.clock.now(),
) => client.publishAsync(topics.telemetry, JSON.stringify({ ts, values }), { qos: 1 });
