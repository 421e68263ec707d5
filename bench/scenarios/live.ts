import { setTimeout as sleep } from "node:timers/promises";
import { topics } from "@telltale/contract/device-api";
import { type LiveMessage, livePath } from "@telltale/contract/live";
import mqtt from "mqtt";
import { createLoad } from "../../simulator/src/load/create-load.ts";
import { withServer } from "../bench-server.ts";
import { type Figure, fixed, ratio } from "../figure.ts";

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

/** Latency from a device's publish to the operator's socket while the plant sends 5,000 readings a second, all of which the socket receives. */
export const live = (): Promise<Figure[]> =>
  withServer(backgroundDevices + 1, async (server) => {
    const { token, userId, accountId } = await server.signIn();
    const socket = new WebSocket(
      `${server.baseURL.replace("http", "ws")}${livePath(userId, accountId)}?token=${token}`,
    );
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
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
    const { seen, acknowledged } = await probe(server.mqttPort, probed?.token ?? "", socket);
    await load.stop();
    socket.close();
    const [p50, p99] = [quantile(seen, 0.5), quantile(seen, 0.99)];
    return [
      {
        name: `publish → socket at 5,000 readings/s, p50 / p99 (${seen.length} of ${probes} seen)`,
        goal: "p99 <= 250 ms",
        measured: `${fixed(p50, 0, "ms")} / ${fixed(p99, 0, "ms")}`,
        baseline: `publish → PUBACK: ${fixed(quantile(acknowledged, 0.5), 0, "ms")} / ${fixed(quantile(acknowledged, 0.99), 0, "ms")}`,
        ratio: ratio(p99, quantile(acknowledged, 0.99)),
      },
    ];
  });
