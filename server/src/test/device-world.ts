import { DeviceType, Model } from "@telltale/contract/devices";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { pino } from "pino";
import { type Clock, systemClock } from "../clock.ts";
import { connect } from "../database/connect.ts";
import { createTestDatabase } from "../database/test-database.ts";
import { type ChannelChange, type ProvisionedDevice, provisionDevice } from "../devices/provision.ts";
import { createGateway } from "../gateway/gateway.ts";
import { createBus } from "../live/bus.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import type { World } from "../world.ts";

/** A clock that tests set forward; it runs with the machine's otherwise. */
export interface TestClock extends Clock {
  /** Milliseconds. */
  advance(by: number): void;
}

const aClock = (): TestClock => {
  let offset = 0;
  const now = () => systemClock.now() + offset;
  return {
    now,
    date: () => new Date(now()),
    advance: (by) => {
      offset += by;
    },
  };
};

export interface NewTestDevice {
  model?: Model;
  deviceType?: DeviceType;
  parentDeviceId?: number;
  channels?: Record<string, ChannelChange>;
  /** False leaves the device unclaimed. */
  isClaimed?: boolean;
}

const connectPlant = async (db: World["db"], clock: Clock): Promise<number> => {
  const now = clock.date();
  const user = await db
    .insertInto("users")
    .values({ email: "owner@plant.test", password_hash: "", created_time: now })
    .returning("user_id")
    .executeTakeFirstOrThrow();
  return db.transaction().execute(async (trx) => {
    const account = await trx
      .insertInto("accounts")
      .values({ account_no: "A-1", user_id: user.user_id, plant_id: 1, role_type: 1, created_time: now })
      .returning("account_id")
      .executeTakeFirstOrThrow();
    await trx.insertInto("plants").values({ plant_id: account.account_id, name: "Plant", created_time: now }).execute();
    await trx.updateTable("accounts").set({ plant_id: account.account_id }).execute();
    return account.account_id;
  });
};

/** Database, telemetry and gateway on a free port, with one plant whose devices the test makes. */
export const aDeviceWorld = async () => {
  const database = await createTestDatabase();
  const log = pino({ level: process.env.TEST_LOG ?? "silent" });
  const connected = connect(database.url, log);
  const { db, pool } = connected;
  const clock = aClock();
  const bus = createBus((fault) => log.error({ fault }));
  const world = { db, pool, bus, clock, log };
  const plantId = await connectPlant(db, clock);
  const telemetry = createTelemetry(world);
  const gateway = createGateway({ ...world, telemetry }, { host: "127.0.0.1", mqttPort: 0 });
  const clients: MqttClient[] = [];
  await telemetry.start();
  await gateway.start();

  return {
    ...world,
    plantId,
    telemetry,
    gateway,
    url: database.url,
    device: async ({
      model = Model.analog,
      deviceType = DeviceType.main,
      parentDeviceId,
      channels,
      isClaimed = true,
    }: NewTestDevice = {}): Promise<ProvisionedDevice> => {
      const device = await provisionDevice(db, { model, deviceType, ...(channels ? { channels } : {}) }, clock.date());
      if (isClaimed)
        await db
          .updateTable("devices")
          .set({
            plant_id: plantId,
            device_name: "Unit",
            parent_device_id: parentDeviceId ?? null,
            claimed_time: clock.date(),
          })
          .where("device_id", "=", device.deviceId)
          .execute();
      return device;
    },
    /** A real MQTT client, signed in with the device's token. */
    mqtt: async (token: string, options: IClientOptions = {}): Promise<MqttClient> => {
      const client = await connectAsync(`mqtt://127.0.0.1:${gateway.mqttPort()}`, {
        username: token,
        reconnectPeriod: 0,
        ...options,
      });
      client.on("error", () => {});
      clients.push(client);
      return client;
    },
    readings: async (deviceId: number, code: string): Promise<{ ts: number; value: number; status: number }[]> =>
      (
        await pool.query(
          "SELECT r.ts, r.value, r.status FROM readings r JOIN channels c USING (channel_id) WHERE c.device_id = $1 AND c.channel_cn = $2 ORDER BY r.ts, r.value",
          [deviceId, code],
        )
      ).rows,
    alerts: async (deviceId: number) =>
      db
        .selectFrom("alerts")
        .selectAll()
        .where("device_id", "=", deviceId)
        .where("alarm_class", "!=", 4)
        .orderBy("alert_id")
        .execute(),
    close: async () => {
      await Promise.all(clients.map((client) => client.endAsync(true)));
      await gateway.stop();
      await telemetry.stop();
      await connected.close();
      await database.drop();
    },
  };
};

export type DeviceWorld = Awaited<ReturnType<typeof aDeviceWorld>>;
