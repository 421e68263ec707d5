import {
  deviceLimits,
  type ProvisionAnswer,
  RefusalReason,
  type SessionLimits,
  serverMethods,
  topics,
} from "@telltale/contract/device-api";
import { provisioningUser } from "../core/provisioning.ts";
import type { Refusing } from "../core/receipt.ts";
import { parseJson } from "../core/telemetry-payload.ts";
import {
  type DeviceMessage,
  payloadRecord,
  settle,
  type TopicFamily,
  type TopicNeeds,
} from "../mqtt/device-message.ts";
import { createRequestLimit, type RequestLimit } from "../mqtt/request-limit.ts";
import { longTopic, shortTopic } from "../mqtt/topic-rules.ts";
import { firmwareTopics } from "./firmware-topics.ts";
import { gatewayTopics } from "./gateway-topics.ts";

/** Filters that a device may subscribe to: only the server's messages to itself. */
const downTopics = [
  topics.attributes,
  `${topics.attributesResponse}+`,
  `${topics.rpcRequest}+`,
  topics.gateway.attributes,
  topics.gateway.rpc,
  topics.gateway.attributesResponse,
  `${topics.rpcResponse}+`,
  topics.firmware.error,
  topics.provision.response,
  // ThingsBoard's clients subscribe to these by default; nothing is sent there unasked.
  "v2/sw/error",
  "v1/gateway/disconnect",
];

/** Firmware chunks: of all requests, or of one. ThingsBoard's SDK subscribes one level higher; that is accepted too. */
const chunksDown = /^v2\/(fw|sw)\/response\/(\+|#|[^/+#]{1,64})(\/chunk\/(\+|[^/+#]{1,64}))?$/;

/** Replaces the request number in a filter by `+`. */
const anyRequest = (filter: string): string => filter.replace(/\/\d{1,10}$/, "/+");

/** Whether the filter covers topics of the ThingsBoard device API that go down, and nothing else. */
const maySubscribe = (filter: string): boolean =>
  downTopics.includes(anyRequest(longTopic(filter))) || chunksDown.test(filter);

/** Answers an RPC call of the device: `{"method": "getSessionLimits"}`. Any other method gets an error. */
const answerCall = (message: DeviceMessage, requestId: string): void => {
  const call = payloadRecord(message);
  if (call) message.reply(`${topics.rpcResponse}${requestId}`, answerToCall(call.method, message));
  message.done("stored");
};

const sessionLimits: SessionLimits = {
  maxPayloadSize: deviceLimits.payload,
  maxInflightMessages: deviceLimits.inFlight,
  rateLimits: {},
  gatewayRateLimits: {},
};

/** The answer to a method called by a device; `{error}`, counted as refused, for an unknown method. */
export const answerToCall = (method: unknown, refusing: Refusing): SessionLimits | { error: string } => {
  if (method === serverMethods[0]) return sessionLimits;
  refusing.refuse(RefusalReason.notSupported, typeof method === "string" ? method.slice(0, 64) : "");
  return { error: `The server has no such method. It has: ${serverMethods.join(", ")}` };
};

/** Handles topics that end in a request number; returns whether the topic is one. */
const numbered = (needs: TopicNeeds, limit: RequestLimit, message: DeviceMessage): boolean => {
  const { device, topic, payload } = message;
  const requestIn = (prefix: string) => (topic.startsWith(prefix) ? topic.slice(prefix.length) : undefined);
  const requested = requestIn(topics.attributesRequest);
  if (requested !== undefined) {
    limit(message, async () =>
      message.reply(
        `${topics.attributesResponse}${requested}`,
        await needs.findAttributes(device.deviceId, payloadRecord(message) ?? {}),
      ),
    );
    return true;
  }
  const called = requestIn(topics.rpcRequest);
  if (called !== undefined) {
    answerCall(message, called);
    return true;
  }
  const answered = requestIn(topics.rpcResponse);
  if (answered === undefined) return false;
  needs.commands.answered(device, Number(answered), parseJson(payload));
  message.done("stored");
  return true;
};

/** Topics of ThingsBoard that Telltale does not support. Their messages are counted and acknowledged, in MQTT 5 with the reason. */
const notOffered = (message: DeviceMessage): void => {
  message.refuse(RefusalReason.notSupported, message.topic.slice(0, 64));
  message.done("stored");
};

const hasToken: ProvisionAnswer = {
  status: "FAILURE",
  errorMsg: `This device has its access token. A device without one asks with the user name "${provisioningUser}"`,
};

/** Converts a message's short topic to the long form; its answer goes to the matching short topic. */
const inLongForm = (message: DeviceMessage): DeviceMessage => {
  const topic = longTopic(message.topic);
  if (topic === message.topic) return message;
  const { device, delivery } = message;
  return {
    ...{ device, delivery, topic },
    // Asked for each time: the message lets go of it.
    get payload() {
      return message.payload;
    },
    refuse: (...refused) => message.refuse(...refused),
    forgetPayload: () => message.forgetPayload(),
    done: (...result) => message.done(...result),
    reply: (to, content) => message.reply(shortTopic(to) ?? to, content),
  };
};

interface DeviceTopicNeeds extends TopicNeeds {
  /** Sends a master the settings of its sub-devices. */
  pushSubDeviceSettings: (masterId: number) => void;
  /** Called when the device accepts calls. */
  onReady: (deviceId: number) => void;
}

/** Whether the filters accept calls for the device or its sub-devices. */
const wantsCalls = (filters: readonly string[]): boolean =>
  filters.some((filter) => filter.startsWith(topics.rpcRequest) || filter === topics.gateway.rpc);

/** The ThingsBoard device API's topics. (decisions §3) */
export const deviceTopics = (needs: DeviceTopicNeeds): TopicFamily => {
  const { intake, attributes } = needs;
  const limit = createRequestLimit(needs);
  // A stale device may have been disabled since it was loaded.
  const storeAttributes = async (message: DeviceMessage): Promise<number> => {
    if (message.device.isStale) await intake.heard(message.device);
    return attributes.store(message.device, payloadRecord(message) ?? {}, message);
  };
  const handlers = new Map<string, (message: DeviceMessage) => void>([
    ...gatewayTopics(needs, limit),
    [topics.telemetry, intake.telemetry],
    [topics.attributes, (message) => settle(needs, message, storeAttributes(message))],
    ["v1/devices/me/claim", notOffered],
    ["v1/gateway/claim", notOffered],
    ["v1/gateway/metrics", notOffered],
    [
      topics.provision.request,
      (message) => {
        message.reply(topics.provision.response, hasToken);
        notOffered(message);
      },
    ],
  ]);
  const firmware = firmwareTopics(needs, limit);
  return {
    handle: (published) => {
      const message = inLongForm(published);
      const handler = handlers.get(message.topic);
      if (!handler) return numbered(needs, limit, message) || firmware(message);
      handler(message);
      return true;
    },
    maySubscribe,
    onSubscribed: ({ deviceId }, filters) => {
      if (filters.includes(topics.attributes)) needs.pushSettings(deviceId);
      if (filters.includes(topics.gateway.attributes)) needs.pushSubDeviceSettings(deviceId);
      if (wantsCalls(filters)) needs.onReady(deviceId);
    },
  };
};

/** Whether the topic addresses another device, which no device may publish or subscribe to. */
export const isOfAnotherDevice = (topic: string): boolean => /^v1\/devices\/(?!me(\/|$))/.test(topic);
