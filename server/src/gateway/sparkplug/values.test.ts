import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataType, encodePayload, type WireMetric } from "../../sparkplug/payload.ts";
import { createDeviceWorld, type DeviceWorld } from "../../test/device-world.ts";

const start = 1_763_700_000_000;

/** A metric as bytes: its name, and what follows it. */
const metricOf = (name: string, ...rest: number[]): Buffer => {
  const bytes = [0x0a, name.length, ...Buffer.from(name), ...rest];
  return Buffer.from([0x12, bytes.length, ...bytes]);
};
const [datatypeTag, longTag, dataSetTag] = [0x20, 0x58, [0x8a, 1]];
/** -10 and -3,000,000,000 in two's complement of 64 bits, as every encoder writes them. */
const minusTen = [0xf6, ...Array<number>(8).fill(0xff), 1];
const minusThreeBillion = [0x80, 0xc4, 0xbe, 0xe9, 0xf4, 0xff, 0xff, 0xff, 0xff, 1];

describe("values of Sparkplug nodes", () => {
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await createDeviceWorld();
  });
  afterAll(() => world.close());

  const anEdge = async () => {
    const device = await world.device();
    const client = await world.mqtt(device.accessToken);
    const publish = (type: string, at: number, metrics: WireMetric[], more: Buffer[] = []) => {
      const payload = encodePayload({ timestamp: start + at, metrics });
      return client.publishAsync(`spBv1.0/plant/${type}/edge`, Buffer.concat([payload, ...more]), { qos: 1 });
    };
    const values = async (code: string) => (await world.readings(device, code)).map(({ value }) => value);
    return { device, publish, values };
  };

  it("are negative where a long integer is, also of a type that only the birth tells", async () => {
    const { publish, values } = await anEdge();
    await publish(
      "NBIRTH",
      0,
      [],
      [
        metricOf("AI1", datatypeTag, DataType.int64, longTag, ...minusTen),
        metricOf("AI2", datatypeTag, DataType.int64, longTag, 12),
      ],
    );
    await publish(
      "NDATA",
      1,
      [],
      [metricOf("AI1", longTag, ...minusThreeBillion), metricOf("AI2", longTag, ...minusTen)],
    );
    expect(await values("AI1")).toEqual([-10, -3_000_000_000]);
    expect(await values("AI2")).toEqual([12, -10]);
  });

  it("are refused where they are integers whose type neither they nor their birth tell: they may be negative", async () => {
    const { device, publish, values } = await anEdge();
    const minusFive = { intValue: 0xfffffffb };
    await publish("NDATA", 0, [
      { name: "AI1", ...minusFive },
      { name: "AI2", datatype: DataType.int32, ...minusFive },
    ]);
    expect(await values("AI1")).toEqual([]);
    expect(await values("AI2")).toEqual([-5]);
    await world.telemetry.refusals.flush();
    const { rows } = await world.pool.query(
      "SELECT reason, count, last_key FROM device_refusals WHERE device_id = $1",
      [device.deviceId],
    );
    expect(rows).toEqual([{ reason: "not_a_number", count: 1, last_key: "AI1" }]);
    await publish("NBIRTH", 1, [{ name: "AI1", datatype: DataType.int32, intValue: 3 }]);
    await publish("NDATA", 2, [{ name: "AI1", ...minusFive }]);
    expect(await values("AI1")).toEqual([3, -5]);
  });

  it.each([0, 1])("are found by the alias %i, also where there is an empty name beside it", async (alias) => {
    const { publish, values } = await anEdge();
    await publish("NBIRTH", 0, [{ name: "AI1", alias, datatype: DataType.float, floatValue: 4.5 }]);
    await publish("NDATA", 1, [{ name: "", alias, floatValue: 5.5 }]);
    expect(await values("AI1")).toEqual([4.5, 5.5]);
  });

  it("are counted where they can't be read, but not where they are null or about the node", async () => {
    const { device, publish } = await anEdge();
    await publish("NBIRTH", 0, [
      { name: "AI3", datatype: DataType.float, isNull: true },
      // Of a device that has applied no settings yet.
      { name: "Settings/version", datatype: DataType.int32, intValue: 0 },
    ]);
    const about: WireMetric[] = [{ name: "Properties/Table" }, { alias: 9, floatValue: 1 }];
    await publish("NDATA", 1, about, [metricOf("AI2", ...dataSetTag, 0)]);
    await world.telemetry.refusals.flush();
    const { rows } = await world.pool.query(
      "SELECT reason, count, last_key FROM device_refusals WHERE device_id = $1 ORDER BY reason",
      [device.deviceId],
    );
    expect(rows).toEqual([
      { reason: "not_a_number", count: 1, last_key: "AI2" },
      { reason: "unknown_key", count: 1, last_key: "alias 9" },
    ]);
  });
});
