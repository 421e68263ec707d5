import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { createGateway } from "../gateway/gateway.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import type { World } from "../world.ts";
import { aDevice, type TestDevice } from "./test-devices.ts";
import { anOwner } from "./test-people.ts";
import { unpackedReadings } from "./test-readings.ts";
import { createTestWorld } from "./test-world.ts";

/** Unpacked readings of a device's channel, in the order of time and value. */
const readingsOf = ({ pool }: Pick<World, "pool">, device: TestDevice, code: string) =>
  unpackedReadings(pool, Number(device.channels[code]));

/** Alerts of a device's channels, in the order in which they were raised. */
const alertsOf = ({ db }: Pick<World, "db">, device: TestDevice) =>
  db
    .selectFrom("alerts")
    .selectAll()
    .where("device_id", "=", device.deviceId)
    .where("channel_id", "is not", null)
    .orderBy("alert_id")
    .execute();

/** Creates a world with telemetry and gateway, and a plant for the test's devices. Close it in `afterAll`. */
export const createDeviceWorld = async (wanted: Parameters<typeof createTestWorld>[0] = {}) => {
  const world = await createTestWorld(wanted);
  const owner = await anOwner(world);
  const telemetry = createTelemetry(world);
  const gateway = createGateway({ ...world, telemetry }, { host: "127.0.0.1", mqttPort: 0 });
  const clients: MqttClient[] = [];
  await telemetry.start();
  await gateway.start();
  return {
    ...world,
    owner,
    plantId: owner.plantId,
    telemetry,
    gateway,
    device: (wanted: Parameters<typeof aDevice>[2] = {}) => aDevice(world, owner, wanted),
    readings: (device: TestDevice, code: string) => readingsOf(world, device, code),
    alerts: (device: TestDevice) => alertsOf(world, device),
    /** Connects a real MQTT client with the device's token. */
    mqtt: async (token: string, options: IClientOptions = {}): Promise<MqttClient> => {
      const address = `mqtt://127.0.0.1:${gateway.mqttPort()}`;
      const client = await connectAsync(address, { username: token, reconnectPeriod: 0, ...options });
      client.on("error", () => {});
      clients.push(client);
      return client;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.endAsync(true)));
      await gateway.stop();
      await telemetry.stop();
      await world.close();
    },
  };
};

export type DeviceWorld = Awaited<ReturnType<typeof createDeviceWorld>>;
