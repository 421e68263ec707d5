import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { topics } from "@telltale/contract/device-api";
import { type LiveMessage, livePath } from "@telltale/contract/live";
import mqtt from "mqtt";
import { createLoad } from "../../simulator/src/load/create-load.ts";
import { withServer } from "../bench-server.ts";
import { type Figure, fixed, ratio } from "../figure.ts";
import { joinQuietly, watch } from "../quiet-sockets.ts";

const backgroundDevices = 50;
/** Messages per second, of ten readings each. */
const rate = 500;
const probes = 300;
const probeEvery = 80;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

/** Publishes unique values and measures for each the time until the socket delivers it and until it is acknowledged. */
const probe = async (
  mqttPort: number,
  token: string,
  socket: WebSocket,
): Promise<{ seen: number[]; acknowledged: number[] }> => {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { username: token });
  const sentAt = new Map<number, number>();
  const seen: number[] = [];
  const acknowledged: number[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as LiveMessage;
    const start = message.cmd === "value" ? sentAt.get(message.value) : undefined;
    if (start === undefined || message.cmd !== "value") return;
    seen.push(performance.now() - start);
    sentAt.delete(message.value);
  });
  for (let at = 0; at < probes; at++) {
    const value = 1 + at / 1000;
    const start = performance.now();
    sentAt.set(value, start);
    client.publishAsync(topics.telemetry, JSON.stringify({ AI3: value }), { qos: 1 }).then(
      () => acknowledged.push(performance.now() - start),
      () => {},
    );
    await sleep(probeEvery);
  }
  await sleep(1_000);
  await client.endAsync();
  return { seen: seen.sort((a, b) => a - b), acknowledged: acknowledged.sort((a, b) => a - b) };
};

const opened = async (address: string): Promise<WebSocket> => {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  return socket;
};

/** Channels of a plant whose values a socket gets, as they come. */
const channelsOf = (socket: WebSocket): Set<number> => {
  const found = new Set<number>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as LiveMessage;
    if (message.cmd === "value") found.add(message.deviceChannelId);
  });
  return found;
};

/** Bytes that a socket gets in a second, over ten. */
const received = async (socket: WebSocket): Promise<number> => {
  const seconds = 10;
  let bytes = 0;
  socket.addEventListener("message", ({ data }) => {
    bytes += Buffer.byteLength(String(data));
  });
  await sleep(seconds * 1000);
  return bytes / seconds;
};

const crowd = 999;

/**
 * While the plant sends 5,000 readings a second: latency from a device's publish to the operator's socket, which gets all of them; what a phone gets that
 * names eight channels; and the latency once more beside a crowd of such sockets.
 */
export const live = (): Promise<Figure[]> =>
  withServer(backgroundDevices + 1, async (server) => {
    const { token, userId, accountId } = await server.signIn();
    const address = `${server.baseURL.replace("http", "ws")}${livePath(userId, accountId)}?token=${token}`;
    const socket = await opened(address);
    const channelIds = channelsOf(socket);
    const [probed, ...background] = server.devices;
    const load = createLoad({
      host: "127.0.0.1",
      port: server.mqttPort,
      devices: background,
      readingsPerMessage: 10,
      inFlight: 100,
      rate,
    });
    await load.start();
    await sleep(3_000);
    const eight = [...channelIds].slice(0, 8);
    const alone = await probe(server.mqttPort, probed?.token ?? "", socket);
    const phone = await opened(address);
    phone.send(watch(eight));
    await sleep(1_000);
    const [all, shown] = await Promise.all([received(socket), received(phone)]);
    phone.close();
    const others: Duplex[] = [];
    const quiet = new URL(address.replace("ws", "http"));
    while (others.length < crowd) others.push(await joinQuietly(quiet, watch(eight)));
    const crowded = await probe(server.mqttPort, probed?.token ?? "", socket);
    for (const other of others) other.destroy();
    await load.stop();
    socket.close();
    const [p50, p99] = [quantile(alone.seen, 0.5), quantile(alone.seen, 0.99)];
    const lag = quantile(crowded.seen, 0.99);
    return [
      {
        name: `publish → socket at 5,000 readings/s, p50 / p99 (${alone.seen.length} of ${probes} seen)`,
        goal: "p99 <= 250 ms",
        measured: `${fixed(p50, 0, "ms")} / ${fixed(p99, 0, "ms")}`,
        baseline: `publish → PUBACK: ${fixed(quantile(alone.acknowledged, 0.5), 0, "ms")} / ${fixed(quantile(alone.acknowledged, 0.99), 0, "ms")}`,
        ratio: ratio(p99, quantile(alone.acknowledged, 0.99)),
      },
      {
        name: "a phone with eight channels, in a second",
        goal: "<= 5 kB",
        measured: fixed(shown / 1000, 1, "kB"),
        baseline: `a socket that names no channels: ${fixed(all / 1000, 0, "kB")}`,
        ratio: ratio(shown, all),
      },
      {
        name: `publish → socket beside ${crowd} sockets with eight channels each, p50 / p99 (${crowded.seen.length} of ${probes} seen)`,
        goal: "p99 <= 100 ms",
        measured: `${fixed(quantile(crowded.seen, 0.5), 0, "ms")} / ${fixed(lag, 0, "ms")}`,
        baseline: `alone: ${fixed(p99, 0, "ms")}`,
        ratio: ratio(lag, p99),
      },
    ];
  });
