import { Registry } from "prom-client";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { aDevice } from "./test-devices.ts";
import { anOwner } from "./test-people.ts";
import { packRange, writeReadings } from "./test-readings.ts";
import type { TestServer } from "./test-server.ts";
import { unzipped } from "./test-spreadsheet.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** The parts of a downloaded workbook by name. */
export const partsOf = async (file: Blob) => unzipped(Buffer.from(await file.arrayBuffer()));

/** Plants with readings to export. */
export const testExports = (server: TestServer) => {
  /** Midnight (UTC) a number of days before the test's today. */
  const daysAgo = (days: number): number => (Math.floor(server.world.clock.now() / day) - days) * day;

  const write = (channelId: number, from: number, count: number, step = minute) =>
    writeReadings(
      server.world,
      channelId,
      Array.from({ length: count }, (_, n) => [from + n * step, n] as const),
    );

  const pack = (from: number, to: number) =>
    packRange(server.world.pool, Math.floor(from / hour), Math.ceil(to / hour));

  /** Packs everything that is due, like the server's job. */
  const packAll = () => createTelemetry({ ...server.world, metrics: new Registry() }).packing.run();

  const setZone = (deviceId: number, zone: string) =>
    server.world.db.updateTable("devices").set({ time_zone_id: zone }).where("device_id", "=", deviceId).execute();

  const aPlant = async (name = "Pump house") => {
    const owner = await anOwner(server.world);
    const device = await aDevice(server.world, owner, { name });
    await server.world.db
      .updateTable("devices")
      .set({ first_seen_time: server.world.clock.date() })
      .where("device_id", "=", device.deviceId)
      .execute();
    return { owner, device, AI1: Number(device.channels.AI1), AI2: Number(device.channels.AI2) };
  };

  return { daysAgo, write, pack, packAll, setZone, aPlant };
};

export type TestExports = ReturnType<typeof testExports>;
