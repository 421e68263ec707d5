import { topics } from "@telltale/contract/device-api";
import fc from "fast-check";
import mqttPacket, { type IPublishPacket } from "mqtt-packet";
import { expect, test } from "vitest";
import { createPacketReader } from "./packet-reader.ts";
import { publishPacket } from "./publish-packet.ts";

const parse = (bytes: Buffer): IPublishPacket[] => {
  const packets: IPublishPacket[] = [];
  const parser = mqttPacket.parser();
  parser.on("packet", (packet) => packets.push(packet as IPublishPacket));
  parser.parse(bytes);
  return packets;
};

test("hand-built packets conform to MQTT and the device API", () => {
  const codes = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 });
  const id = fc.integer({ min: 1, max: 65_535 });
  fc.assert(
    fc.property(codes, fc.integer({ min: 1, max: 300 }), id, fc.nat(), (names, readings, packetId, turn) => {
      const packet = publishPacket(names, readings);
      const bytes = Buffer.alloc(packet.length * 2);
      const ts = 1_763_700_000_000;
      packet.write(bytes, 0, packetId, ts, turn);
      packet.write(bytes, packet.length, packetId, ts + packet.moments, turn + 1);
      const [first, second] = parse(bytes);
      expect(first).toMatchObject({ cmd: "publish", qos: 1, topic: topics.telemetry, messageId: packetId });
      const moments = JSON.parse(String(first?.payload)) as { ts: number; values: Record<string, number> }[];
      expect(moments.map((moment) => moment.ts)).toEqual(moments.map((_, i) => ts + i));
      const values = moments.flatMap((moment) => Object.values(moment.values));
      expect(values).toHaveLength(readings);
      for (const value of values) expect(value >= 10 && value < 100).toBe(true);
      expect(JSON.parse(String(second?.payload))[0].ts).toBe(ts + packet.moments);
      expect(String(second?.payload)).not.toBe(String(first?.payload));
    }),
  );
});

test("values stay in the requested range", () => {
  const packet = publishPacket(["AI1"], 50, { from: 2.5, to: 12 });
  const bytes = Buffer.alloc(packet.length);
  for (let turn = 0; turn < 200; turn++) {
    packet.write(bytes, 0, 1, 1_763_700_000_000, turn);
    const moments = JSON.parse(String(parse(bytes)[0]?.payload)) as { values: { AI1: number } }[];
    for (const { values } of moments) expect(values.AI1 >= 2.5 && values.AI1 <= 12).toBe(true);
  }
});

test("packets are parsed however the stream is split", () => {
  const acknowledgements = Array.from({ length: 50 }, (_, i) =>
    mqttPacket.generate({ cmd: "puback", messageId: i + 1 }),
  );
  const long = mqttPacket.generate({
    cmd: "publish",
    topic: "t",
    payload: "x".repeat(300),
    qos: 0,
    dup: false,
    retain: false,
  });
  const stream = Buffer.concat([...acknowledgements.slice(0, 20), long, ...acknowledgements.slice(20)]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (cuts) => {
      const ids: number[] = [];
      const read = createPacketReader((type, bytes, body) => {
        if (type === 4) ids.push(bytes.readUInt16BE(body));
      });
      for (let at = 0, i = 0; at < stream.length; i++) {
        const next = at + (cuts[i % cuts.length] ?? 1);
        read(stream.subarray(at, next));
        at = next;
      }
      expect(ids).toEqual(acknowledgements.map((_, i) => i + 1));
    }),
  );
});
