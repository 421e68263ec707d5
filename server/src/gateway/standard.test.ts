import { connect } from "node:net";
import { topics } from "@telltale/contract/device-api";
import mqttPacket, { type Packet } from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeviceWorld, type DeviceWorld } from "../test/device-world.ts";

type Version = 3 | 4 | 5;

const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);
};

/** A packet of any first byte and fields, shorter than 128 bytes. */
const packet = (firstByte: number, ...fields: (Buffer | readonly number[])[]): Buffer => {
  const body = Buffer.concat(fields.map((field) => Buffer.from(field)));
  return Buffer.concat([Buffer.of(firstByte, body.length), body]);
};

/** An empty properties field, where the version has one. */
const properties = (version: Version, bytes: readonly number[] = []): number[] =>
  version === 5 ? [bytes.length, ...bytes] : [];

describe("conformance to the MQTT standard", () => {
  let world: DeviceWorld;
  let token: string;
  beforeAll(async () => {
    world = await createDeviceWorld();
    token = (await world.device()).accessToken;
  });
  afterAll(() => world.close());

  interface Connect {
    level?: number;
    flags?: number;
    own?: readonly number[];
    clientId?: string;
    will?: Buffer;
    user?: Buffer | undefined;
  }
  const connectOf = (version: Version, more: Connect = {}): Buffer => {
    const { level = version, flags = 0x82, own = [], clientId = "a", will = Buffer.of(), user = text(token) } = more;
    const name = text(version === 3 ? "MQIsdp" : "MQTT");
    const head = [level, flags, 0, 60, ...properties(version, own)];
    return packet(0x10, name, head, text(clientId), will, user);
  };

  /** The answer to bytes until the connection is closed or, with `until`, until such a packet arrives. */
  const answered = (version: Version, bytes: readonly Buffer[], until?: string): Promise<Packet[]> =>
    new Promise((resolve) => {
      const socket = connect(world.gateway.mqttPort(), "127.0.0.1");
      const parser = mqttPacket.parser({ protocolVersion: version });
      const packets: Packet[] = [];
      const [first, ...later] = bytes;
      parser.on("packet", (answer: Packet) => {
        packets.push(answer);
        if (answer.cmd === "connack") socket.write(Buffer.concat(later));
        if (answer.cmd === until) socket.destroy();
      });
      socket.on("data", (chunk: Buffer) => parser.parse(chunk));
      socket.on("error", () => {});
      socket.on("close", () => resolve(packets));
      socket.write(first ?? Buffer.of());
    });

  const versions = [3, 4, 5] as const;

  /** Expects these bytes from an authenticated device to end the connection, with no answer but the reason in MQTT 5. */
  const expectEnd = async (version: Version, bytes: Buffer, reasonCode = 0x82): Promise<void> => {
    const [connack, ...answers] = await answered(version, [connectOf(version), bytes]);
    expect(connack).toMatchObject({ cmd: "connack" });
    if (version === 5) expect(answers).toMatchObject([{ cmd: "disconnect", reasonCode }]);
    else expect(answers).toEqual([]);
  };

  const filter = text(topics.attributes);

  describe.each(versions)("by version %i:", (version) => {
    const own = properties(version);
    it("a repeated filter has a code of its own in the SUBACK", async () => {
      const requested = [text(`${topics.rpcRequest}+`), [0], text("#"), [0], text(`${topics.rpcRequest}+`), [1]];
      const subscribe = packet(0x82, [0, 7], own, ...requested, text("#"), [1]);
      const answers = await answered(version, [connectOf(version), subscribe], "suback");
      const refused = version === 5 ? 0x87 : 0x80;
      expect(answers.at(-1)).toMatchObject({ cmd: "suback", messageId: 7, granted: [0, refused, 1, refused] });
    });

    it.each([
      ["SUBSCRIBE", packet(0x82, [0, 0], own, filter, [0])],
      ["UNSUBSCRIBE", packet(0xa2, [0, 0], own, filter)],
      ["PUBLISH", packet(0x32, text(topics.telemetry), [0, 0], own, Buffer.from("{}"))],
    ])("a %s has no packet identifier 0", (_what, bytes) => expectEnd(version, bytes));

    it.each([
      ["SUBSCRIBE", packet(0x82, [0, 7], own)],
      ["UNSUBSCRIBE", packet(0xa2, [0, 7], own)],
    ])("a %s has a filter", (_what, bytes) => expectEnd(version, bytes));

    it.each([
      ["invalid UTF-8", Buffer.from([0xc3, 0x28])],
      ["a surrogate", Buffer.from([0xed, 0xa0, 0x80])],
      ["NUL", Buffer.from("a\0b")],
    ])("a topic or filter with %s ends the connection", async (_what, bytes) => {
      await expectEnd(version, packet(0x32, text(bytes), [0, 1], own, Buffer.from("{}")), 0x81);
      await expectEnd(version, packet(0x82, [0, 1], own, text(bytes), [0]), 0x81);
    });

    it("a second CONNECT ends the connection", () => expectEnd(version, connectOf(version)));

    it("what only a server sends ends the connection", () => expectEnd(version, packet(0x90, [0, 5], own, [0])));

    it("a will has no QoS 3", async () => {
      const will = Buffer.concat([Buffer.from(own), text(topics.telemetry), text("{}")]);
      const answers = await answered(version, [connectOf(version, { flags: 0x9e, will })]);
      expect(answers).toMatchObject(version === 5 ? [{ cmd: "connack", reasonCode: 0x81 }] : []);
    });
  });

  it.each([
    [0, 4, { returnCode: 1 }],
    [2, 4, { returnCode: 1 }],
    [6, 5, { reasonCode: 0x84 }],
    [0x85, 5, { reasonCode: 0x84 }],
  ] as const)("protocol level %i is refused in words that its client knows", async (level, version, message) => {
    expect(await answered(version, [connectOf(4, { level })])).toMatchObject([{ cmd: "connack", ...message }]);
  });

  it.each([
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\n")],
    ["a PUBLISH", packet(0x30, text("a"))],
  ])("what begins with %s and no CONNECT is closed at once", async (_what, bytes) => {
    expect(await answered(4, [bytes])).toEqual([]);
  });

  it.each([3, 4] as const)("a bridge of version %i connects", async (version) => {
    const bridge = connectOf(version, { level: 0x80 + version });
    expect(await answered(version, [bridge], "connack")).toMatchObject([{ returnCode: 0 }]);
  });

  it("a session without an identifier can't go on in 3.1.1, and may in the others, where it ends", async () => {
    const endless = { clientId: "", flags: 0x80 };
    expect(await answered(4, [connectOf(4, endless)])).toMatchObject([{ cmd: "connack", returnCode: 2 }]);
    expect(await answered(3, [connectOf(3, endless)], "connack")).toMatchObject([{ returnCode: 0 }]);
    expect(await answered(5, [connectOf(5, endless)], "connack")).toMatchObject([{ reasonCode: 0 }]);
    expect(await answered(4, [connectOf(4, { clientId: "" })], "connack")).toMatchObject([{ returnCode: 0 }]);
  });

  it("a password without a user name is refused like any that is wrong, in MQTT 5", async () => {
    const [connack] = await answered(5, [connectOf(5, { flags: 0x42, user: text("password") })]);
    expect(connack).toMatchObject({ cmd: "connack", reasonCode: 0x86 });
  });

  it.each([
    ["a receive maximum of 0", [0x21, 0, 0], 0x82],
    ["a maximum packet size of 0", [0x27, 0, 0, 0, 0], 0x82],
    ["a repeated property", [0x11, 0, 0, 0, 1, 0x11, 0, 0, 0, 1], 0x82],
    ["authentication data without a method", [0x16, 0, 1, 1], 0x82],
    ["a flag of 2", [0x17, 2], 0x82],
    ["a property of another packet", [0x23, 0, 1], 0x81],
    ["a property of a server", [0x13, 0, 1], 0x81],
    ["a property that ends with the packet", [0x11, 0, 0], 0x81],
  ])("a CONNECT of MQTT 5 with %s is refused", async (_what, own, reasonCode) => {
    expect(await answered(5, [connectOf(5, { own })])).toMatchObject([{ cmd: "connack", reasonCode }]);
  });

  it("a CONNECT of MQTT 5 with properties that are allowed connects", async () => {
    const user = [0x26, 0, 1, 0x61, 0, 1, 0x62];
    const own = [0x11, 0, 0, 0, 1, 0x21, 0, 9, 0x27, 0, 1, 0, 0, 0x22, 0, 0, 0x19, 1, 0x17, 1, ...user, ...user];
    expect(await answered(5, [connectOf(5, { own })], "connack")).toMatchObject([{ reasonCode: 0 }]);
  });

  const publishWith = (own: readonly number[]): Buffer =>
    packet(0x32, text(topics.telemetry), [0, 1], properties(5, own), Buffer.from("{}"));

  it.each([
    ["a subscription identifier", [0x0b, 1], 0x82],
    ["a response topic with a wildcard", [0x08, 0, 3, 0x61, 0x2f, 0x23], 0x82],
    ["a repeated property", [0x02, 0, 0, 0, 1, 0x02, 0, 0, 0, 1], 0x82],
    ["a property of another packet", [0x21, 0, 1], 0x81],
  ])("a PUBLISH of MQTT 5 with %s ends the connection", (_what, own, reasonCode) =>
    expectEnd(5, publishWith(own), reasonCode),
  );

  it("a PUBLISH of MQTT 5 with the properties of a request is taken", async () => {
    const own = [0x01, 1, 0x02, 0, 0, 0, 9, 0x03, 0, 1, 0x61, 0x08, 0, 1, 0x61, 0x09, 0, 1, 0xff];
    const answers = await answered(5, [connectOf(5), publishWith(own)], "puback");
    expect(answers.at(-1)).toMatchObject({ cmd: "puback", messageId: 1 });
  });
});
