import type { Input } from "@telltale/contract/call/call";
import { topics } from "@telltale/contract/device-api";
import { BridgeFormat, type BridgeRow, bridges } from "@telltale/contract/domains/readings/bridges";
import type { MqttClient } from "mqtt";
import { Registry } from "prom-client";
import { buildApp } from "../app.ts";
import { type Bridges, createBridges } from "../bridges/index.ts";
import { createDeviceWorld } from "./device-world.ts";
import { clientsOf } from "./test-server.ts";

type BridgeFields = Input<typeof bridges.add>;

/** A bridge of everything, as JSON, to an address that nothing listens on. */
export const bridgeFields: BridgeFields = {
  ...{ bridgeName: "IT", url: "mqtt://127.0.0.1:9", userName: "", password: "", clientId: "telltale", ca: "" },
  ...{ format: BridgeFormat.json, prefix: "acme/plant", allDevices: 1, deviceIds: [] },
  ...{ sendsValues: 1, sendsAlerts: 1, enabled: 1 },
};

/** Sends one reading of a device's channel; resolves when it is committed. `at` in epoch milliseconds. */
export const sendReading = (client: MqttClient, code: string, at: number, value: number) =>
  client.publishAsync(topics.telemetry, JSON.stringify({ ts: at, values: { [code]: value } }), { qos: 1 });

/** A server with its gateway and API, and its bridges once they are started. Close it in `afterAll`. */
export const createBridgedPlant = async (wanted: Parameters<typeof createDeviceWorld>[0] = {}) => {
  const world = await createDeviceWorld(wanted);
  const app = await buildApp(world, { privateWebhooks: true });
  const as = clientsOf(app);
  let running: Bridges | undefined;
  let metrics = new Registry();
  const stop = async (): Promise<void> => {
    await running?.stop();
    running = undefined;
  };
  return {
    ...world,
    as,
    addBridge: async (given: Partial<BridgeFields> = {}): Promise<number> =>
      (await as(world.owner)(bridges.add, { ...bridgeFields, ...given })).bridgeId,
    bridge: async (bridgeId: number): Promise<BridgeRow> => {
      const { data } = await as(world.owner)(bridges.list, { page: 1, size: 50 });
      const found = data.find((row) => row.bridgeId === bridgeId);
      if (!found) throw new Error(`There is no bridge ${bridgeId}`);
      return found;
    },
    start: (isPrivateAllowed = true): void => {
      metrics = new Registry();
      running = createBridges({ ...world, metrics, isPrivateAllowed });
      running.start();
    },
    stop,
    metricsText: () => metrics.metrics(),
    close: async (): Promise<void> => {
      await stop();
      await app.close();
      await world.close();
    },
  };
};

export type BridgedPlant = Awaited<ReturnType<typeof createBridgedPlant>>;
