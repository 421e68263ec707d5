import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FirmwareFacts, type FirmwareOffer, topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import { expect } from "./harness.ts";
import type { RunningServer } from "./server-process.ts";
import { connectUnit, type Unit } from "./unit.ts";

/** An image as the operator adds it. */
export interface Image {
  bytes: Buffer;
  sha256: string;
}

/** Adds an image with `telltale firmware add`. */
export const addImage = async (server: RunningServer, model: string, version: string): Promise<Image> => {
  const bytes = randomBytes(10_000);
  const path = join(server.dataDir, `image-${version}.bin`);
  await writeFile(path, bytes);
  const [added] = await server.telltale<{ sha256: string }[]>(
    ...["firmware", "add", path, "--model", model, "--version", version],
  );
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(added?.sha256).toBe(sha256);
  return { bytes, sha256 };
};

/** Runs a simulated unit with this fault in its first update; returns the function that ends it. */
export const simulateUnit = async (
  { dataDir, mqttPort }: RunningServer,
  { deviceSnId, accessToken, name }: Unit,
  fault: "interruption" | "corruption" | "no-start",
): Promise<() => Promise<void>> => {
  const channels = [{ code: "DI1", settings: { reportInterval: 1 } }];
  const unit = {
    deviceSnId,
    accessToken,
    deviceName: name,
    typeId: 2,
    deviceType: 1,
    firmwareVersion: "1.0.0",
    channels,
  };
  const fleet = join(dataDir, `fleet-${deviceSnId}.json`);
  await writeFile(fleet, JSON.stringify([unit]));
  const url = `mqtt://127.0.0.1:${mqttPort}`;
  const child: ChildProcess = spawn(
    process.execPath,
    ["simulator/src/main.ts", fleet, "--url", url, "--calm", "--firmware-fault", fault],
    { cwd: join(import.meta.dirname, ".."), stdio: "ignore" },
  );
  return async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  };
};

/** A connected unit that updates itself step by step, controlled by the test. */
export interface FirmwareUnit {
  client: MqttClient;
  /** Resolves with the offer when it arrives. */
  offer(): Promise<FirmwareOffer>;
  chunk(number: number, size: number): Promise<Buffer>;
  report(facts: FirmwareFacts): Promise<void>;
}

/** Connects a unit that reports the version it runs. */
export const connectFirmwareUnit = async (
  server: RunningServer,
  unit: Pick<Unit, "accessToken">,
  version: string,
): Promise<FirmwareUnit> => {
  const client = await connectUnit(server, unit);
  let offered: FirmwareOffer | undefined;
  const waiting = new Map<string, (bytes: Buffer) => void>();
  client.on("message", (topic, payload) => {
    if (topic.startsWith(topics.firmware.response)) waiting.get(topic)?.(payload);
    else offered = JSON.parse(payload.toString());
  });
  await client.subscribeAsync([topics.attributes, `${topics.firmware.response}+/chunk/+`], { qos: 1 });
  const report = async (facts: FirmwareFacts): Promise<void> => {
    await client.publishAsync(topics.attributes, JSON.stringify(facts), { qos: 1 });
  };
  await report({ current_fw_version: version });
  return {
    client,
    report,
    offer: async () => {
      await expect(() => expect(offered?.fw_version).toBeTruthy()).toPass();
      return offered as FirmwareOffer;
    },
    chunk: (number, size) =>
      new Promise((resolve) => {
        waiting.set(`${topics.firmware.response}1/chunk/${number}`, resolve);
        client.publish(`${topics.firmware.request}1/chunk/${number}`, String(size), { qos: 1 });
      }),
  };
};
