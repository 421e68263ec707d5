import { deflateSync, gzipSync } from "node:zlib";
import { RefusalReason } from "@telltale/contract/device-api";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataType, decodePayload, encodePayload, type WireMetric } from "../../sparkplug/payload.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";
import { anUnclaimedDevice, type TestDevice } from "../../test/test-devices.ts";

const start = 1_763_700_000_000;

describe("devices that speak Sparkplug B", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const bdSeq = (value: number): WireMetric => ({ name: "bdSeq", datatype: DataType.int64, longValue: value });
  const birth = [
    bdSeq(1),
    { name: "Inputs/AI1", alias: 1, datatype: DataType.float, floatValue: 4.5 },
    { name: "AI2", alias: 2, datatype: DataType.int16, intValue: 0xfff6 },
  ];

  const anEdge = async (device: TestDevice, will?: WireMetric[]) => {
    const client = await world.mqtt(device.accessToken, {
      ...(will
        ? {
            will: {
              topic: "spBv1.0/plant/NDEATH/edge",
              payload: encodePayload({ metrics: will }),
              qos: 1 as const,
              retain: false,
            },
          }
        : {}),
    });
    const publish = (type: string, seq: number | undefined, at: number, metrics: WireMetric[], sub = "") =>
      client.publishAsync(
        `spBv1.0/plant/${type}/edge${sub && `/${sub}`}`,
        encodePayload({ timestamp: start + at, metrics, ...(seq === undefined ? {} : { seq }) }),
        { qos: 1 },
      );
    const commands: string[] = [];
    client.on("message", (topic, payload) => {
      const command = decodePayload(payload, { bytes: payload.length, metrics: 1 });
      commands.push(`${topic} ${typeof command === "object" ? command.metrics[0]?.name : command}`);
    });
    await client.subscribeAsync("spBv1.0/plant/NCMD/edge");
    return { client, publish, commands };
  };

  it("are read by the names and types of their birth, also when the data carries an alias only", async () => {
    const device = await world.device();
    const { publish, commands } = await anEdge(device);
    await publish("NBIRTH", 0, 0, birth);
    await publish("NDATA", 1, 1000, [
      { alias: 1, floatValue: 5.5 },
      { alias: 2, intValue: 0xfffe },
    ]);
    expect((await world.readings(device, "AI1")).map(({ ts, value }) => [ts, value])).toEqual([
      [start, 4.5],
      [start + 1000, 5.5],
    ]);
    expect((await world.readings(device, "AI2")).map(({ value }) => value)).toEqual([-10, -2]);
    expect(commands).toEqual([]);
  });

  it.each([
    ["GZIP", gzipSync],
    ["DEFLATE", deflateSync],
  ])("may compress their payloads by %s, as sparkplug-client does", async (algorithm, compress) => {
    const device = await world.device();
    const { client, commands } = await anEdge(device);
    const publish = (type: string, seq: number, metrics: WireMetric[]) => {
      const body = compress(encodePayload({ timestamp: start + seq, seq, metrics }));
      const packed = encodePayload({
        uuid: "SPBV1.0_COMPRESSED",
        body,
        metrics: [{ name: "algorithm", datatype: DataType.string, stringValue: algorithm }],
      });
      return client.publishAsync(`spBv1.0/plant/${type}/edge`, packed, { qos: 1 });
    };
    await publish("NBIRTH", 0, birth);
    await publish("NDATA", 1, [{ alias: 1, floatValue: 5.5 }]);
    expect((await world.readings(device, "AI1")).map(({ value }) => value)).toEqual([4.5, 5.5]);
    expect(commands).toEqual([]);
  });

  it("are refused a payload that unpacks to more than a message may hold, or is packed twice", async () => {
    const device = await world.device();
    const { client } = await anEdge(device);
    const totalOf = (reason: RefusalReason) => world.telemetry.refusals.totals().get(reason) ?? 0;
    const pack = (body: Buffer) => encodePayload({ uuid: "SPBV1.0_COMPRESSED", body, metrics: [] });
    const publish = (payload: Buffer) => client.publishAsync("spBv1.0/plant/NDATA/edge", payload, { qos: 1 });
    const before = { tooLarge: totalOf(RefusalReason.tooLarge), bad: totalOf(RefusalReason.badPayload) };
    await publish(pack(gzipSync(Buffer.alloc(100 * 1024 * 1024))));
    expect(totalOf(RefusalReason.tooLarge)).toBe(before.tooLarge + 1);
    await publish(pack(gzipSync(pack(gzipSync(encodePayload({ metrics: birth }))))));
    await publish(pack(Buffer.from("neither gzip nor zlib")));
    expect(totalOf(RefusalReason.badPayload)).toBe(before.bad + 2);
  });

  it("are asked for a rebirth after a gap, only once", async () => {
    const device = await world.device();
    const { publish, commands } = await anEdge(device);
    await publish("NBIRTH", 0, 0, birth);
    await publish("NDATA", 3, 1000, [{ alias: 1, floatValue: 5.5 }]);
    await publish("NDATA", 9, 2000, [{ alias: 1, floatValue: 5.6 }]);
    await expect.poll(() => commands).toEqual(["spBv1.0/plant/NCMD/edge Node Control/Rebirth"]);
    expect(await world.readings(device, "AI1")).toHaveLength(3);
  });

  it("count their messages from 255 on to 0", async () => {
    const device = await world.device();
    const { publish, commands } = await anEdge(device);
    await publish("NBIRTH", 254, 0, birth);
    await publish("NDATA", 255, 1, [{ alias: 1, floatValue: 1 }]);
    await publish("NDATA", 0, 2, [{ alias: 1, floatValue: 2 }]);
    expect(commands).toEqual([]);
    expect(await world.readings(device, "AI1")).toHaveLength(3);
  });

  it("are asked for a rebirth when the server has not seen their birth", async () => {
    const device = await world.device();
    const { publish, commands } = await anEdge(device);
    await publish("NDATA", 17, 0, [{ alias: 1, floatValue: 1 }]);
    await expect.poll(() => commands).toHaveLength(1);
  });

  it("are offline with their devices at their death, and not at the death of an earlier connection", async () => {
    const device = await world.device({ model: Model.mixed });
    const sub = await world.device({
      model: Model.vibration,
      deviceType: DeviceType.sub,
      parentDeviceId: device.deviceId,
    });
    const { client, publish } = await anEdge(device, [bdSeq(1)]);
    const online = async () =>
      (
        await world.db
          .selectFrom("devices")
          .select("is_online")
          .where("device_id", "in", [device.deviceId, sub.deviceId])
          .execute()
      ).map((row) => row.is_online);
    await publish("NBIRTH", 0, 0, birth);
    await publish("DBIRTH", 1, 0, [{ name: "VX", alias: 7, datatype: DataType.float, floatValue: 12 }], sub.deviceSnId);
    expect(await world.readings(sub, "VX")).toHaveLength(1);
    expect(await online()).toEqual([true, true]);
    await publish("NDEATH", undefined, 0, [bdSeq(0)]);
    expect(await online()).toEqual([true, true]);
    client.stream.destroy();
    await expect.poll(() => world.telemetry.registry.inMemory(device)?.linkLostAt).toBeDefined();
    world.clock.pass(11_000);
    await world.telemetry.offlineWatch.run();
    expect(await online()).toEqual([false, false]);
    const alerts = await world.db
      .selectFrom("alerts")
      .select("msg")
      .where("device_id", "=", sub.deviceId)
      .where("cleared_time", "is", null)
      .execute();
    expect(alerts).toEqual([{ msg: "Offline: the link was lost" }]);
  });

  it("with a flapping link do not go offline, and nobody is notified", async () => {
    const device = await world.device({ model: Model.mixed });
    const { publish } = await anEdge(device);
    for (let times = 0; times < 20; times += 1) {
      await publish("NBIRTH", 0, times, [bdSeq(times), ...birth]);
      world.clock.pass(5_000);
      await publish("NDEATH", undefined, times, [bdSeq(times)]);
      world.clock.pass(5_000);
      expect(await world.telemetry.offlineWatch.run()).toBe(0);
    }
    const notes = await world.db.selectFrom("alerts").select("msg").where("device_id", "=", device.deviceId).execute();
    expect(notes).toEqual([{ msg: "Online for the first time" }]);
    world.clock.pass(11_000);
    expect(await world.telemetry.offlineWatch.run()).toBe(1);
  });

  it("take their devices' deaths one by one", async () => {
    const device = await world.device({ model: Model.mixed });
    const sub = await world.device({
      model: Model.vibration,
      deviceType: DeviceType.sub,
      parentDeviceId: device.deviceId,
    });
    const { publish } = await anEdge(device);
    await publish("NBIRTH", 0, 0, birth);
    await publish("DBIRTH", 1, 0, [{ name: "VX", datatype: DataType.float, floatValue: 12 }], sub.deviceSnId);
    await publish("DDEATH", 2, 0, [], sub.deviceSnId);
    world.clock.pass(11_000);
    await world.telemetry.offlineWatch.run();
    const rows = await world.db
      .selectFrom("devices")
      .select(["device_id", "is_online"])
      .where("device_id", "in", [device.deviceId, sub.deviceId])
      .orderBy("device_id")
      .execute();
    expect(rows.map((row) => row.is_online)).toEqual([true, false]);
  });

  it("take no device with them at their death that has moved to another node", async () => {
    const [first, second] = [await world.device({ model: Model.mixed }), await world.device({ model: Model.mixed })];
    const place = { model: Model.vibration, deviceType: DeviceType.sub, parentDeviceId: first.deviceId };
    const sub = await world.device(place);
    const [left, joined] = [await anEdge(first), await anEdge(second)];
    const vibration = [{ name: "VX", datatype: DataType.float, floatValue: 12 }];
    await left.publish("NBIRTH", 0, 0, birth);
    await left.publish("DBIRTH", 1, 0, vibration, sub.deviceSnId);
    await world.db
      .updateTable("devices")
      .set({ parent_device_id: second.deviceId })
      .where("device_id", "=", sub.deviceId)
      .execute();
    world.bus.emitHere("deviceChange", { deviceId: sub.deviceId });
    await joined.publish("NBIRTH", 0, 1000, birth);
    await joined.publish("DBIRTH", 1, 1000, vibration, sub.deviceSnId);
    const linkLostAt = () => world.telemetry.registry.inMemory(sub)?.linkLostAt;
    await left.publish("NDEATH", undefined, 2000, [bdSeq(1)]);
    expect(linkLostAt()).toBeUndefined();
    await joined.publish("NDEATH", undefined, 3000, [bdSeq(1)]);
    expect(linkLostAt()).toBeDefined();
  });

  it("are neither remembered nor asked for births of devices that are not theirs, and asked once one is", async () => {
    const master = await world.device({ model: Model.mixed });
    const { publish, commands } = await anEdge(master);
    const { deviceSnId } = await anUnclaimedDevice(world, { deviceType: DeviceType.sub });
    await publish("NBIRTH", 0, 0, birth);
    await publish("DBIRTH", 1, 1000, [{ name: "AI1", alias: 7, datatype: DataType.float, floatValue: 1 }], deviceSnId);
    await publish("DDATA", 2, 2000, [{ alias: 7, floatValue: 2 }], deviceSnId);
    await publish("DDATA", 3, 3000, [{ alias: 7, floatValue: 3 }], "nobody");
    expect(commands).toEqual([]);
    const known = await world.telemetry.registry.find({ deviceSnId });
    if (!known) throw new Error("unknown device");
    await world.db
      .updateTable("devices")
      .set({ plant_id: world.plantId, parent_device_id: master.deviceId })
      .where("device_id", "=", known.deviceId)
      .execute();
    world.bus.emitHere("deviceChange", { deviceId: known.deviceId });
    await publish("DDATA", 4, 4000, [{ alias: 7, floatValue: 4 }], deviceSnId);
    await expect.poll(() => commands).toEqual(["spBv1.0/plant/NCMD/edge Node Control/Rebirth"]);
  });

  it("may send invalid payloads, which are only counted", async () => {
    const device = await world.device();
    const { client } = await anEdge(device);
    const before = world.telemetry.refusals.totals().get("bad_payload") ?? 0;
    await client.publishAsync("spBv1.0/plant/NDATA/edge", Buffer.from([0xff, 0xff, 0x01]), { qos: 1 });
    expect(world.telemetry.refusals.totals().get("bad_payload")).toBe(before + 1);
  });

  it("stay online when it is the server that stops", async () => {
    const own = await createDeviceWorld();
    const device = await own.device();
    const will = {
      topic: "spBv1.0/plant/NDEATH/edge",
      payload: encodePayload({ metrics: [bdSeq(1)] }),
      qos: 1 as const,
      retain: false,
    };
    const client = await own.mqtt(device.accessToken, { will });
    await client.publishAsync(
      "spBv1.0/plant/NBIRTH/edge",
      encodePayload({ timestamp: start, seq: 0, metrics: birth }),
      { qos: 1 },
    );
    await own.gateway.stop();
    await own.telemetry.writer.exclusively(async () => {});
    const { rows } = await own.pool.query("SELECT is_online FROM devices WHERE device_id = $1", [device.deviceId]);
    expect(rows).toEqual([{ is_online: true }]);
    await own.close();
  });
});
