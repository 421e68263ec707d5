import { topics } from "@telltale/contract/device-api";
import { sparkplugPayload } from "../../e2e/sparkplug.ts";
import type { Random } from "../random.ts";
import { damaged, mutated } from "./mutate.ts";
import { oddText } from "./odd-values.ts";

/** A message that a device publishes. */
export interface DeviceMessage {
  topic: string;
  payload: Buffer;
}

const channels = ["AI1", "AI2", "DI1", "DO1", "VX", "TEMP", "HUM"];

const values = (random: Random): Record<string, unknown> =>
  Object.fromEntries(
    Array.from({ length: 1 + random.below(4) }, () => [random.pick(channels), random.below(400) / 10]),
  );

const telemetry = (random: Random): unknown => {
  const moment = () => ({ ts: Date.now() - random.below(100_000), values: values(random) });
  return random.pick([() => values(random), moment, () => [moment(), moment()]])();
};

const attributes = (random: Random): unknown => ({
  ...{ firmwareVersion: "1.2.3", power: random.below(100), wakeupMode: "timer", temperature: 20.5, humidity: 40 },
  ...(random.chance(0.3) ? { settingsVersion: random.below(5), fw_state: "DOWNLOADING", current_fw_title: "AIS" } : {}),
});

/** A valid payload with its topic; `ids` are device IDs that a master may name. */
const wellFormed = (random: Random, ids: readonly string[]): [topic: string, payload: unknown] => {
  const id = random.pick(ids);
  const { gateway, firmware } = topics;
  const makers: (() => [string, unknown])[] = [
    () => [topics.telemetry, telemetry(random)],
    () => [topics.telemetry, telemetry(random)],
    () => [topics.attributes, attributes(random)],
    () => [gateway.telemetry, { [id]: [telemetry(random)] }],
    () => [gateway.attributes, { [id]: attributes(random) }],
    () => [gateway.connect, { device: id }],
    () => [gateway.disconnect, { device: id }],
    () => [gateway.rpc, { device: id, id: random.below(100), data: { success: true } }],
    () => [`${topics.attributesRequest}${random.below(9)}`, { sharedKeys: "reportInterval,channels" }],
    () => [`${topics.rpcResponse}${random.below(100)}`, { success: true }],
    () => [`${firmware.request}${random.below(9)}/chunk/${random.below(9)}`, { device: id, size: 1024 }],
  ];
  return random.pick(makers)();
};

const sparkplugTypes = ["NBIRTH", "NDATA", "NDATA", "NDEATH", "DBIRTH", "DDATA", "DDATA", "DDEATH"];

const sparkplug = (random: Random, ids: readonly string[]): DeviceMessage => {
  const type = random.pick(sparkplugTypes);
  const metric = () => ({
    ...(random.chance(0.7) ? { name: random.chance(0.8) ? random.pick(channels) : oddText(random) } : {}),
    ...(random.chance(0.7) ? { alias: random.below(6) } : {}),
    value: random.below(400) / 10,
  });
  const payload = sparkplugPayload(random.below(300), Array.from({ length: random.below(5) }, metric));
  const device = type.startsWith("D") ? `/${random.pick(ids)}` : "";
  return {
    topic: `spBv1.0/plant/${type}/edge${random.below(2)}${device}`,
    payload: random.chance(0.7) ? damaged(random, payload) : payload,
  };
};

/** A message with mutated values, bytes, or both, on a topic that the server accepts. */
export const deviceMessage = (random: Random, ids: readonly string[]): DeviceMessage => {
  if (random.chance(0.2)) return sparkplug(random, ids);
  const [topic, value] = wellFormed(random, ids);
  const changed = random.chance(0.8) ? mutated(random, value) : value;
  const bytes = Buffer.from(JSON.stringify(changed) ?? "");
  return { topic, payload: random.chance(0.25) ? damaged(random, bytes) : bytes };
};

/** The same on an unknown topic, which makes the server close the connection. */
export const strayMessage = (random: Random, ids: readonly string[]): DeviceMessage => {
  const { topic, payload } = deviceMessage(random, ids);
  const strays = [
    `${topic}/x`,
    topic.slice(0, -1),
    "v1/devices/me",
    "$SYS/broker",
    `spBv1.0/${random.below(9)}`,
    "a//b",
  ];
  return { topic: random.pick(strays), payload };
};
