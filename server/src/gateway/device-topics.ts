import { RefusalReason, topics } from "@telltale/contract/device-api";
import { type DeviceMessage, payloadRecord, settle, type TopicHandler, type TopicNeeds } from "./device-message.ts";
import { firmwareTopics } from "./firmware-topics.ts";
import { gatewayTopics } from "./gateway-topics.ts";
import { createRequestLimit, type RequestLimit } from "./request-limit.ts";
import { parseJson } from "./telemetry-payload.ts";

/** `{"sharedKeys": "…"}` asks for some, anything else for all. */
const answerAttributes = async (needs: TopicNeeds, message: DeviceMessage, requestId: string): Promise<void> => {
  const { deviceId } = message.device;
  const shared = Object.entries((await needs.sharedAttributes(deviceId)) ?? {});
  const { sharedKeys } = payloadRecord(needs, message);
  const wanted = typeof sharedKeys === "string" ? new Set(sharedKeys.split(",")) : undefined;
  const answer = Object.fromEntries(shared.filter(([key]) => !wanted || wanted.has(key)));
  needs.connections.send(deviceId, `${topics.attributesResponse}${requestId}`, { shared: answer });
};

/** Topics that end in a request's number. */
const numbered = (needs: TopicNeeds, limit: RequestLimit, message: DeviceMessage): boolean => {
  const { device, topic, payload, done } = message;
  if (topic.startsWith(topics.attributesRequest)) {
    const requestId = topic.slice(topics.attributesRequest.length);
    limit(message, () => answerAttributes(needs, message, requestId));
    return true;
  }
  if (!topic.startsWith(topics.rpcResponse)) return false;
  needs.commands.answered(device, Number(topic.slice(topics.rpcResponse.length)), parseJson(payload));
  done("stored");
  return true;
};

/** The ThingsBoard device API's topics. (decisions §3) */
export const deviceTopics = (needs: TopicNeeds): TopicHandler => {
  const { intake, attributes } = needs;
  const handlers = new Map<string, (message: DeviceMessage) => void>([
    ...gatewayTopics(needs),
    [topics.telemetry, ({ device, payload, delivery, done }) => intake.telemetry(device, payload, delivery, done)],
    [
      topics.attributes,
      (message) => settle(needs, message, attributes.store(message.device, payloadRecord(needs, message))),
    ],
  ]);
  const limit = createRequestLimit(needs);
  const firmware = firmwareTopics(needs, limit);
  return (message) => {
    const handler = handlers.get(message.topic);
    if (!handler) return numbered(needs, limit, message) || firmware(message);
    handler(message);
    return true;
  };
};

/** A topic that no handler takes; it is counted before the device is disconnected. */
export const refuseTopic = (
  { refusals }: Pick<TopicNeeds, "refusals">,
  { device, topic }: Pick<DeviceMessage, "device" | "topic">,
): void => refusals.count(device.deviceId, RefusalReason.unknownTopic, topic.slice(0, 64), "");
