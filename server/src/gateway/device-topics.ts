import { RefusalReason, topics } from "@telltale/contract/device-api";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { Refusals } from "../telemetry/refusals.ts";
import type { Outcome } from "../telemetry/submission.ts";
import type { World } from "../world.ts";
import type { AttributeStore } from "./attributes.ts";
import type { Commands } from "./commands.ts";
import type { Connections } from "./connections.ts";
import type { Delivery, Intake } from "./intake.ts";
import { sharedAttributes } from "./shared-attributes.ts";
import { parseJson } from "./telemetry-payload.ts";

/** A message of a device: where it was published, what it holds, and what to call when it is dealt with. */
export interface DeviceMessage {
  device: KnownDevice;
  topic: string;
  payload: Buffer;
  delivery: Delivery;
  done: (outcome: Outcome) => void;
}

/** Takes a message if the topic is its own; gives whether it did. */
export type TopicHandler = (message: DeviceMessage) => boolean;

interface Needs extends Pick<World, "pool" | "log"> {
  intake: Intake;
  attributes: AttributeStore;
  commands: Commands;
  connections: Connections;
  refusals: Refusals;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The ThingsBoard device API's topics. (decisions §3) */
export const deviceTopics = ({
  pool,
  log,
  intake,
  attributes,
  commands,
  connections,
  refusals,
}: Needs): TopicHandler => {
  /** Runs work that reaches the database; a fault leaves the message unacknowledged, so that the device sends it again. */
  const surely = (work: Promise<unknown>, done: DeviceMessage["done"]): void => {
    work.then(
      () => done("stored"),
      (fault: unknown) => {
        log.error({ fault }, "A device's message could not be handled");
        done("stopped");
      },
    );
  };

  const record = ({ device, payload }: DeviceMessage): Record<string, unknown> => {
    const value = parseJson(payload);
    if (isRecord(value)) return value;
    refusals.count(device.deviceId, RefusalReason.badPayload, "", payload.subarray(0, 64).toString());
    return {};
  };

  const ofSubDevice = async (
    message: DeviceMessage,
    deviceSnId: string,
    work: (sub: KnownDevice) => Promise<unknown>,
  ): Promise<void> => {
    const sub = await intake.subDevice(message.device, deviceSnId);
    if (sub) await work(sub);
    else refusals.count(message.device.deviceId, RefusalReason.unknownDevice, deviceSnId.slice(0, 64), "");
  };

  const gatewayAttributes = async (message: DeviceMessage): Promise<void> => {
    for (const [deviceSnId, values] of Object.entries(record(message)))
      if (isRecord(values))
        await ofSubDevice(message, deviceSnId, (sub) => attributes.store(sub, values).then(() => intake.heard(sub)));
  };

  const gatewayConnect = async (message: DeviceMessage): Promise<void> => {
    const { device: deviceSnId } = record(message);
    if (typeof deviceSnId === "string") await ofSubDevice(message, deviceSnId, (sub) => intake.heard(sub));
  };

  const gatewayAnswer = (message: DeviceMessage): void => {
    const { id, data } = record(message);
    if (typeof id === "number") commands.answered(message.device, id, data);
  };

  /** `{"sharedKeys": "…"}` asks for some, anything else for all. */
  const answerAttributes = async (message: DeviceMessage, requestId: string): Promise<void> => {
    const shared: Record<string, unknown> = { ...(await sharedAttributes(pool, message.device.deviceId)) };
    const { sharedKeys } = record(message);
    const wanted = typeof sharedKeys === "string" ? new Set(sharedKeys.split(",")) : undefined;
    const some = wanted ? Object.fromEntries(Object.entries(shared).filter(([key]) => wanted.has(key))) : shared;
    connections.send(message.device.deviceId, `${topics.attributesResponse}${requestId}`, { shared: some });
  };

  const prefixed = (message: DeviceMessage): boolean => {
    const { topic, done } = message;
    if (topic.startsWith(topics.attributesRequest))
      surely(answerAttributes(message, topic.slice(topics.attributesRequest.length)), done);
    else if (topic.startsWith(topics.rpcResponse)) {
      commands.answered(message.device, Number(topic.slice(topics.rpcResponse.length)), parseJson(message.payload));
      done("stored");
    } else return false;
    return true;
  };

  const handlers: Record<string, (message: DeviceMessage) => void> = {
    [topics.telemetry]: ({ device, payload, delivery, done }) => intake.telemetry(device, payload, delivery, done),
    [topics.gateway.telemetry]: ({ device, payload, delivery, done }) =>
      intake.gatewayTelemetry(device, payload, delivery, done),
    [topics.attributes]: (message) => surely(attributes.store(message.device, record(message)), message.done),
    [topics.gateway.attributes]: (message) => surely(gatewayAttributes(message), message.done),
    [topics.gateway.connect]: (message) => surely(gatewayConnect(message), message.done),
    // A sub-device that leaves is offline when nothing was heard for its offline reporting time, like any other.
    [topics.gateway.disconnect]: (message) => message.done("stored"),
    [topics.gateway.rpc]: (message) => {
      gatewayAnswer(message);
      message.done("stored");
    },
  };
  return (message) => {
    const handler = handlers[message.topic];
    if (!handler) return prefixed(message);
    handler(message);
    return true;
  };
};
