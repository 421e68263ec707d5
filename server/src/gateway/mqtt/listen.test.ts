import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import mqtt from "mqtt";
import mqttPacket from "mqtt-packet";
import { afterEach, expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import { testCertificate, testKey } from "../../test/test-certificate.ts";
import { type Listener, listenForMqtt } from "./listen.ts";
import { proxyHeaderOf } from "./proxy-header.ts";
import { unauthenticatedOf } from "./unauthenticated.ts";

const log = createLog("silent");
let listeners: Listener[] = [];
afterEach(async () => {
  await Promise.all(listeners.map((each) => each.close()));
});

const portOf = (listener: Listener | undefined): number => {
  const address = listener?.server.address();
  return typeof address === "object" && address ? address.port : 0;
};

it.each(["mqtt", "mqtts"] as const)("a connection by %s is registered as unauthenticated", async (protocol) => {
  const { promise: taken, resolve } = Promise.withResolvers<Duplex>();
  listeners = await listenForMqtt(
    { host: "127.0.0.1", mqttPort: 0, tls: { cert: testCertificate, key: testKey, port: 0 } },
    resolve,
    log,
  );
  const port = portOf(listeners[protocol === "mqtt" ? 0 : 1]);
  const client = mqtt.connect({ protocol, host: "127.0.0.1", port, rejectUnauthorized: false, reconnectPeriod: 0 });
  client.on("error", () => {});
  expect(unauthenticatedOf(await taken)).toBeDefined();
  client.end(true);
});

const proxyHeaders = {
  "version 1": [Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 51000 1883\r\n")],
  "version 2, in pieces": [
    Buffer.from("\r\n\r\n\0\r\nQU", "latin1"),
    Buffer.concat([Buffer.from("IT\n\x21\x11\0\x0c", "latin1"), Buffer.from([192, 0])]),
    Buffer.from([2, 7, 192, 0, 2, 1, 199, 56, 7, 91]),
  ],
  "of a check": [Buffer.from("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0", "latin1")],
  none: [],
};
const connectPacket = mqttPacket.generate({ cmd: "connect", clientId: "one", keepalive: 0, protocolVersion: 4 });

/** Connects, sends these pieces one after the other and the CONNECT with the last; resolves when the connection is handed to the broker. */
const connectBehind = async (pieces: readonly Buffer[], proxies: string, toTls = false) => {
  const { promise: taken, resolve } = Promise.withResolvers<Duplex>();
  const tls = { cert: testCertificate, key: testKey, port: 0 };
  listeners = await listenForMqtt({ host: "127.0.0.1", mqttPort: 0, tls, proxies }, resolve, log);
  const raw = connectTcp(portOf(listeners[toTls ? 1 : 0]), "127.0.0.1");
  await once(raw, "connect");
  const closed = once(raw, "close");
  raw.on("error", () => {});
  for (const piece of pieces.slice(0, -1)) {
    raw.write(piece);
    await sleep(20);
  }
  if (toTls) {
    raw.write(Buffer.concat(pieces.slice(-1)));
    connectTls({ socket: raw, rejectUnauthorized: false })
      .on("error", () => {})
      .write(connectPacket);
  } else raw.write(Buffer.concat([...pieces.slice(-1), connectPacket]));
  return { taken, closed, end: () => raw.destroy() };
};

it.each(Object.entries(proxyHeaders))(
  "a trusted proxy's connection begins after its header (%s)",
  async (_, pieces) => {
    for (const toTls of [false, true]) {
      const { taken, end } = await connectBehind(pieces, "127.0.0.0/8", toTls);
      const connection = await taken;
      expect(unauthenticatedOf(connection)).toBeDefined();
      expect(connection.read() ?? (await once(connection, "data"))[0]).toEqual(connectPacket);
      end();
      await Promise.all(listeners.map((each) => each.close()));
    }
  },
);

it("a header is refused from others than the proxies, and when it is malformed", async () => {
  const [good] = proxyHeaders["version 1"];
  for (const [header, proxies] of [
    [good, "10.0.0.1"],
    [Buffer.from(`PROXY TCP4 ${"9".repeat(200)}`), "loopback"],
    [Buffer.from("\r\n\r\n\0\r\nQUIT\n\x31\x11\0\x0c", "latin1"), "loopback"],
  ] as const) {
    const { closed } = await connectBehind(header ? [header] : [], proxies);
    await closed;
  }
});

it("the address of a proxy's header is its client's", () => {
  const v6 = Buffer.concat([
    Buffer.from("\r\n\r\n\0\r\nQUIT\n\x21\x21\0\x24", "latin1"),
    Buffer.from("20010db8000000000000000000000007".padEnd(72, "0"), "hex"),
  ]);
  expect(proxyHeaderOf(v6)).toEqual({ length: 52, address: "2001:db8:0:0:0:0:0:7" });
  expect(proxyHeaderOf(Buffer.concat(proxyHeaders["version 1"]))?.address).toBe("192.0.2.7");
  expect(proxyHeaderOf(Buffer.concat(proxyHeaders["version 2, in pieces"]))?.address).toBe("192.0.2.7");
  expect(proxyHeaderOf(Buffer.concat(proxyHeaders["of a check"]))).toEqual({ length: 16, address: undefined });
  expect(proxyHeaderOf(Buffer.from("PROXY UNKNOWN\r\n"))).toEqual({ length: 15, address: undefined });
});

/** A line of /proc/net/tcp: local address, remote address, state, queues, running timer. */
const tcpLine = /^\s*\d+: \S+:(\S+) \S+ (\S+) \S+ (\d\d):/gm;
const [established, keepAlive] = ["01", "02"];

it.runIf(process.platform === "linux")(
  "a connection that falls silent is asked whether it is still there",
  async () => {
    const { promise: taken, resolve } = Promise.withResolvers<Duplex>();
    listeners = await listenForMqtt({ host: "127.0.0.1", mqttPort: 0 }, resolve, log);
    const port = portOf(listeners[0]);
    const client = mqtt.connect({ port, host: "127.0.0.1", keepalive: 0, reconnectPeriod: 0 });
    client.on("error", () => {});
    await taken;
    const lines = [...(await readFile("/proc/net/tcp", "utf8")).matchAll(tcpLine)];
    const timers = lines.flatMap(([, local = "", state, timer]) =>
      Number.parseInt(local, 16) === port && state === established ? [timer] : [],
    );
    expect(timers).toEqual([keepAlive]);
    client.end(true);
  },
);
