import { readFile } from "node:fs/promises";
import type { Duplex } from "node:stream";
import mqtt from "mqtt";
import { afterEach, expect, it } from "vitest";
import { type Listener, listenForMqtt } from "./listen.ts";
import { unauthenticatedOf } from "./unauthenticated.ts";

/** A self-signed certificate for these tests only. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUfACGuP84ZQ+oZuLiQ8FBDsV1lOwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIxMDExOFoYDzIxMjYxMDI5
MjEwMTE4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASPFjNQyne99T7A6a+l7l6CBUduafphj+zx2/Lc322VUOcFexeDtW3N
audepGNi9w8NgKPpQuTRsaCUqAqFRr89o1MwUTAdBgNVHQ4EFgQUN12XGDv124sI
13JtDSD7vH6JW9cwHwYDVR0jBBgwFoAUN12XGDv124sI13JtDSD7vH6JW9cwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAyULgEOvKBs1vROJzsqWBa
l6+Mjazx8HUoBPe3TxL0ewIgWDWzKI05QNkqo/0PxEqmJ6/o0t1EwBHlwgDjNiSM
6s0=
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTDaNfV4L9bjWkbVr
V7zbaW/LWLoiTRLSQzgZKichWbyhRANCAASPFjNQyne99T7A6a+l7l6CBUduafph
j+zx2/Lc322VUOcFexeDtW3NaudepGNi9w8NgKPpQuTRsaCUqAqFRr89
-----END PRIVATE KEY-----`;

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
  listeners = await listenForMqtt({ host: "127.0.0.1", mqttPort: 0, tls: { cert, key, port: 0 } }, resolve);
  const port = portOf(listeners[protocol === "mqtt" ? 0 : 1]);
  const client = mqtt.connect({ protocol, host: "127.0.0.1", port, rejectUnauthorized: false, reconnectPeriod: 0 });
  client.on("error", () => {});
  expect(unauthenticatedOf(await taken)).toBeDefined();
  client.end(true);
});

/** A line of /proc/net/tcp: local address, remote address, state, queues, running timer. */
const tcpLine = /^\s*\d+: \S+:(\S+) \S+ (\S+) \S+ (\d\d):/gm;
const [established, keepAlive] = ["01", "02"];

it.runIf(process.platform === "linux")(
  "a connection that falls silent is asked whether it is still there",
  async () => {
    const { promise: taken, resolve } = Promise.withResolvers<Duplex>();
    listeners = await listenForMqtt({ host: "127.0.0.1", mqttPort: 0 }, resolve);
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
