import { RefusalReason, topics } from "@telltale/contract/device-api";
import type { KnownDevice } from "../../telemetry/index.ts";
import { isRecord, parseJson } from "../core/telemetry-payload.ts";
import {
  type DeviceMessage,
  longestName,
  payloadRecord,
  settle,
  subDeviceOf,
  type TopicNeeds,
} from "../mqtt/device-message.ts";
import type { RequestLimit } from "../mqtt/request-limit.ts";

/** Runs `work` for every named sub-device and returns the sum of its results; names that are not the master's are counted as refused. */
const withSubDevices = async (
  { intake }: TopicNeeds,
  message: DeviceMessage,
  deviceSnIds: readonly string[],
  work: (sub: KnownDevice, deviceSnId: string) => Promise<number>,
): Promise<number> => {
  const known = await intake.subDevices(message.device, deviceSnIds);
  let sum = 0;
  for (const deviceSnId of deviceSnIds) {
    const sub = known.get(deviceSnId);
    if (sub) sum += await work(sub, deviceSnId);
    else message.refuse(RefusalReason.unknownDevice, deviceSnId.slice(0, 64));
  }
  return sum;
};

const storeAttributes = (needs: TopicNeeds, message: DeviceMessage): Promise<number> => {
  const named = new Map<string, Record<string, unknown>>();
  for (const [deviceSnId, attributes] of Object.entries(payloadRecord(message) ?? {})) {
    if (isRecord(attributes)) named.set(deviceSnId, attributes);
    else message.refuse(RefusalReason.badPayload, deviceSnId.slice(0, 64));
  }
  return withSubDevices(needs, message, [...named.keys()], async (sub, deviceSnId) => {
    const stored = await needs.attributes.store(sub, named.get(deviceSnId) ?? {}, message);
    await needs.intake.heard(sub);
    return stored;
  });
};

/** The sub-device that a message names as `{"device": "…"}`. */
const namedIn = async (needs: TopicNeeds, message: DeviceMessage): Promise<KnownDevice | undefined> => {
  const payload = payloadRecord(message);
  return payload && subDeviceOf(needs, message, payload.device);
};

const connectSubDevice = async (needs: TopicNeeds, message: DeviceMessage): Promise<undefined> => {
  const sub = await namedIn(needs, message);
  if (!sub) return;
  await needs.intake.heard(sub);
  needs.pushSettings(sub.deviceId);
};

/**
 * Only validates the message: a disconnected sub-device goes offline after its offline reporting time like any other, since battery devices
 * disconnect after every report.
 */
const disconnectSubDevice = async (needs: TopicNeeds, message: DeviceMessage): Promise<undefined> =>
  void (await namedIn(needs, message));

/** Whether a value may name a request or device and be echoed in the answer: a short text or a number. */
const isName = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && value.length <= longestName);

const takeAnswer = (needs: TopicNeeds, message: DeviceMessage): void => {
  const answer = payloadRecord(message);
  const requestId = isName(answer?.id) ? Number(answer.id) : Number.NaN;
  // thingsboard-gateway may send the answer as JSON inside a string.
  const reported = typeof answer?.data === "string" ? (parseJson(answer.data) ?? answer.data) : answer?.data;
  if (Number.isInteger(requestId)) needs.commands.answered(message.device, requestId, reported);
  else if (answer) message.refuse(RefusalReason.badPayload, "id");
  message.done("stored");
};

/** `{"id", "device", "client", "key" or "keys"}`; a `key` is answered by `value`, `keys` by `values`. */
const answerAttributes = async (needs: TopicNeeds, message: DeviceMessage): Promise<void> => {
  const requested = payloadRecord(message);
  if (!requested) return;
  const { id, device, client, key, keys } = requested;
  const named = { ...(isName(id) ? { id } : {}), ...(isName(device) ? { device } : {}) };
  const answer = (content: object) => message.reply(topics.gateway.attributesResponse, { ...named, ...content });
  if (id !== undefined && named.id === undefined) {
    message.refuse(RefusalReason.badPayload, "id");
    return answer({ error: "The id of a request is a number or a short text" });
  }
  const sub = await subDeviceOf(needs, message, device);
  if (!sub) return answer({ error: "No such sub-device reports through this device" });
  const wanted = [keys ?? key]
    .flat()
    .filter((name) => typeof name === "string")
    .join();
  const found = await needs.findAttributes(
    sub.deviceId,
    client === true ? { clientKeys: wanted } : { sharedKeys: wanted },
  );
  const values: Record<string, unknown> = (client === true ? found.client : found.shared) ?? {};
  answer(keys === undefined && typeof key === "string" ? { value: values[key] } : { values });
};

/** The topics of the ThingsBoard gateway API, on which a master speaks for its sub-devices. */
export const gatewayTopics = (needs: TopicNeeds, limit: RequestLimit): [string, (message: DeviceMessage) => void][] => [
  [topics.gateway.telemetry, needs.intake.gatewayTelemetry],
  [topics.gateway.attributes, (message) => settle(needs, message, storeAttributes(needs, message))],
  [topics.gateway.attributesRequest, (message) => limit(message, () => answerAttributes(needs, message))],
  [topics.gateway.connect, (message) => settle(needs, message, connectSubDevice(needs, message))],
  [topics.gateway.disconnect, (message) => settle(needs, message, disconnectSubDevice(needs, message))],
  [topics.gateway.rpc, (message) => takeAnswer(needs, message)],
];
