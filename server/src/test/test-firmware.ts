import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deviceLimits, type FirmwareFacts, topics } from "@telltale/contract/device-api";
import type { MqttClient } from "mqtt";
import { addFirmware } from "../operator/firmware.ts";
import type { World } from "../world.ts";
import type { DeviceWorld } from "./device-world.ts";

/** An added image with its bytes. */
export interface TestImage {
  model: string;
  version: string;
  bytes: Buffer;
  sha256: string;
}

interface Wanted {
  model: string;
  version: string;
  type?: "mesh" | "mcu";
  size?: number;
}

/** Stores an image like `telltale firmware add`. */
export const anImage = async (
  world: Pick<World, "db" | "clock" | "files">,
  { model, version, type = "mcu", size = 10_000 }: Wanted,
): Promise<TestImage> => {
  const bytes = randomBytes(size);
  const folder = await mkdtemp(join(tmpdir(), "telltale-image-"));
  const path = join(folder, "image.bin");
  await writeFile(path, bytes);
  await addFirmware(world, path, { model, version, type, by: "test" });
  await rm(folder, { recursive: true });
  return { model, version, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
};

/** A connected device with what it has received: attributes, commands, chunks and errors. */
export interface TestUnit {
  client: MqttClient;
  attributes: Record<string, unknown>[];
  commands: Record<string, unknown>[];
  errors: string[];
  /** Requests a chunk; resolves with its bytes, undefined on an error. `payload` is the size by default. */
  chunk(number: number, payload: number | string): Promise<Buffer | undefined>;
  /** Reports firmware attributes; resolves after the commit. */
  report(facts: FirmwareFacts): Promise<void>;
}

/** Connects a device that reports its version. */
export const aUnit = async (
  world: Pick<DeviceWorld, "mqtt">,
  { accessToken }: { accessToken: string },
  version?: string,
): Promise<TestUnit> => {
  const client = await world.mqtt(accessToken);
  const unit: Pick<TestUnit, "attributes" | "commands" | "errors"> = { attributes: [], commands: [], errors: [] };
  const waiting = new Map<string, (bytes: Buffer | undefined) => void>();
  client.on("message", (topic, payload) => {
    if (topic.startsWith(topics.firmware.response)) {
      waiting.get(topic)?.(payload);
      return;
    }
    if (topic === topics.firmware.error) {
      unit.errors.push(payload.toString());
      for (const give of waiting.values()) give(undefined);
      return;
    }
    const content = JSON.parse(payload.toString()) as Record<string, unknown>;
    if (topic === topics.attributes || topic === topics.gateway.attributes) unit.attributes.push(content);
    if (topic.startsWith(topics.rpcRequest)) unit.commands.push(content);
  });
  const down = [topics.attributes, topics.gateway.attributes, `${topics.rpcRequest}+`, topics.gateway.rpc];
  await client.subscribeAsync([...down, `${topics.firmware.response}+/chunk/+`, topics.firmware.error], { qos: 1 });
  const report = async (facts: FirmwareFacts): Promise<void> => {
    await client.publishAsync(topics.attributes, JSON.stringify(facts), { qos: 1 });
  };
  if (version !== undefined) await report({ current_fw_version: version });
  let requestId = 0;
  return {
    ...unit,
    client,
    report,
    chunk: (number, payload) => {
      requestId += 1;
      const place = `${requestId}/chunk/${number}`;
      const answer = new Promise<Buffer | undefined>((resolve) => {
        waiting.set(topics.firmware.response + place, resolve);
      });
      client.publish(topics.firmware.request + place, String(payload), { qos: 1 });
      return answer.finally(() => waiting.delete(topics.firmware.response + place));
    },
  };
};

/** Fetches chunks from `from` on until the end. */
export const fetchImage = async (unit: TestUnit, size: number, from = 0): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for (let number = from; ; number += 1) {
    const bytes = await unit.chunk(number, size);
    if (!bytes) throw new Error(`There came no chunk ${number}: ${unit.errors.at(-1)}`);
    parts.push(bytes);
    if (bytes.length < Math.min(size, deviceLimits.firmwareChunk)) return Buffer.concat(parts);
  }
};
