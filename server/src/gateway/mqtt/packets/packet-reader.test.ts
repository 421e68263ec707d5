import fc from "fast-check";
import mqttPacket, { type Packet } from "mqtt-packet";
import { describe, expect, it, vi } from "vitest";
import { connectLimit, createPacketChecks } from "./packet-checks.ts";
import { createPacketReader, type PacketChecks } from "./packet-reader.ts";

const anything: PacketChecks = { checkHeader: () => undefined, checkPacket: () => undefined };

const generated = (packet: Packet, protocolVersion = 4): Buffer =>
  Buffer.from(mqttPacket.generate(packet, { protocolVersion }));

const publish = (payload: string | Buffer): Buffer =>
  generated({ cmd: "publish", topic: "a", payload, qos: 1, messageId: 1, dup: false, retain: false });

/** The packets read from consecutive chunks. */
const taken = (pieces: Iterable<Buffer>, checks = anything): Buffer[] => {
  const reader = createPacketReader(checks);
  const packets: Buffer[] = [];
  for (const piece of pieces) reader.read(piece, (some) => packets.push(some));
  return packets;
};

describe("the reader of packets", () => {
  it("returns whole packets with the same bytes, however they are fragmented", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lengths, fc.array(fc.integer({ min: 1, max: 2_500 }), { minLength: 1 }), (payloads, cuts) => {
        const packets = payloads.map((length, at) => publish(Buffer.alloc(length, at)));
        const all = Buffer.concat(packets);
        const ends = new Set(packets.map((_, at) => Buffer.concat(packets.slice(0, at + 1)).length));
        const pieces: Buffer[] = [];
        for (let at = 0, turn = 0; at < all.length; turn += 1) {
          const next = at + (cuts[turn % cuts.length] ?? 1);
          pieces.push(all.subarray(at, next));
          at = next;
        }
        const got = taken(pieces);
        expect(Buffer.concat(got).equals(all)).toBe(true);
        let end = 0;
        for (const some of got) {
          end += some.length;
          expect(ends.has(end)).toBe(true);
        }
      }),
    );
  });

  it("copies a packet that arrives byte by byte only a few times", () => {
    const packet = publish(Buffer.alloc(200_000, 32));
    const pieces = Array.from(packet, (_, at) => packet.subarray(at, at + 1));
    const copy = vi.spyOn(Buffer.prototype, "copy");
    const got = taken(pieces);
    const copied = copy.mock.results.reduce((sum, { value }) => sum + value, 0);
    copy.mockRestore();
    expect(got).toHaveLength(1);
    expect(copied).toBeLessThan(4 * packet.length);
  });

  it("holds no more of a packet than has come, however large it claims to be", () => {
    const allocate = vi.spyOn(Buffer, "allocUnsafeSlow");
    taken([Buffer.from([0x32, 0xff, 0xff, 0x3f]), Buffer.alloc(10)]);
    const allocated = allocate.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0);
    allocate.mockRestore();
    expect(allocated).toBeLessThan(4_096);
  });

  it("gives the packets before one that is refused", () => {
    const checks = createPacketChecks(() => 1_000_000);
    const connect = generated({ cmd: "connect", protocolId: "MQTT", protocolVersion: 4, clientId: "a", clean: true });
    const reader = createPacketReader(checks);
    const packets: Buffer[] = [];
    const bytes = Buffer.concat([connect, publish("x"), connect]);
    expect(() => reader.read(bytes, (some) => packets.push(some))).toThrow("begins with one CONNECT");
    expect(Buffer.concat(packets).equals(Buffer.concat([connect, publish("x")]))).toBe(true);
  });
});

describe("a CONNECT", () => {
  const connect = (more: object = {}, protocolVersion: 3 | 4 | 5 = 4): Buffer =>
    generated(
      {
        cmd: "connect",
        protocolId: protocolVersion === 3 ? "MQIsdp" : "MQTT",
        protocolVersion,
        clientId: "a",
        clean: true,
        username: "token",
        ...more,
      } as Packet,
      protocolVersion,
    );
  const readPackets = (bytes: Buffer) =>
    taken(
      [bytes],
      createPacketChecks(() => 1_000_000),
    ).length;

  it.each([3, 4, 5] as const)("of version %i passes with all that it may hold", (version) => {
    const will = { topic: "v1/devices/me/telemetry", payload: Buffer.alloc(3_000), qos: 1 as const, retain: false };
    expect(readPackets(connect({ clientId: "x".repeat(2_000), will, password: Buffer.from("p") }, version))).toBe(1);
  });

  it.each([3, 4, 5] as const)("of version %i has nothing behind its last field", (version) => {
    const whole = connect({}, version);
    const longer = Buffer.concat([
      whole.subarray(0, 1),
      Buffer.of((whole[1] ?? 0) + 1),
      whole.subarray(2),
      Buffer.of(0),
    ]);
    expect(() => readPackets(longer)).toThrow("behind the CONNECT's last field");
  });

  it.each([4, 5] as const)("of version %i is refused by its head when it is too large", (version) => {
    const bytes = connect({ clientId: "x".repeat(connectLimit) }, version);
    expect(() => readPackets(bytes.subarray(0, 5))).toThrow("Packet too large");
  });

  it("comes first", () => {
    expect(() => readPackets(publish("x").subarray(0, 2))).toThrow("begins with one CONNECT");
  });
});
