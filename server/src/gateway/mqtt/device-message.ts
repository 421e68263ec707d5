import { RefusalReason } from "@telltale/contract/device-api";
import type { KnownDevice } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { FindAttributes } from "../core/attribute-requests.ts";
import type { AttributeStore } from "../core/attributes.ts";
import type { Intake } from "../core/intake.ts";
import type { Commands } from "../core/pending-calls.ts";
import type { Incoming } from "../core/receipt.ts";
import { isRecord, parseJson } from "../core/telemetry-payload.ts";
import type { Connections } from "./connections.ts";

/** A message that a device published. */
export interface DeviceMessage extends Incoming {
  topic: string;
  /** Answers on the connection that asked, whatever it has subscribed to. */
  reply: (topic: string, payload: unknown) => void;
}

/** Takes a message if the topic is its own; gives whether it did. */
export type TopicHandler = (message: DeviceMessage) => boolean;

/** The topics of one protocol on the broker. */
export interface TopicFamily {
  handle: TopicHandler;
  /** Whether a device may subscribe to the filter. Every client gets only what is sent to its own device. */
  maySubscribe(filter: string): boolean;
  /** A device has subscribed, to filters in their long form. */
  onSubscribed?(device: KnownDevice, filters: readonly string[]): void;
  /** The device's last connection has ended. */
  onGone?(deviceId: number): void;
}

export interface TopicNeeds extends Pick<World, "db" | "clock" | "files" | "log"> {
  intake: Intake;
  attributes: AttributeStore;
  findAttributes: FindAttributes;
  tellSettings: (deviceId: number) => void;
  commands: Commands;
  connections: Connections;
}

/** The JSON object of a payload; undefined, counted as refused, when it is none. */
export const payloadRecord = ({ payload, refuse }: DeviceMessage): Record<string, unknown> | undefined => {
  const value = parseJson(payload);
  if (isRecord(value)) return value;
  refuse(RefusalReason.badPayload, "", payload.subarray(0, 64).toString());
  return undefined;
};

/** Characters of a text that names a device or a request: device IDs have 12, and what is longer is repeated to nobody. */
export const longestName = 256;

/** A sub-device of the sender; undefined, counted as refused, when this is no device ID or none of a sub-device of it. */
export const subDeviceOf = async (
  { intake }: Pick<TopicNeeds, "intake">,
  { device, refuse }: DeviceMessage,
  deviceSnId: unknown,
): Promise<KnownDevice | undefined> => {
  if (typeof deviceSnId !== "string") {
    refuse(RefusalReason.badPayload, "device");
    return undefined;
  }
  const isKnowable = deviceSnId.length <= longestName;
  const sub = isKnowable ? (await intake.subDevices(device, [deviceSnId])).get(deviceSnId) : undefined;
  if (!sub) refuse(RefusalReason.unknownDevice, deviceSnId.slice(0, 64));
  return sub;
};

/** Ends a message with its work, which gives how many values it stored; a fault leaves it unacknowledged, so that the device sends it again. */
export const settle = (
  { log }: Pick<TopicNeeds, "log">,
  { done }: DeviceMessage,
  work: Promise<number | undefined>,
): void => {
  work.then(
    (stored) => done("stored", stored),
    (fault: unknown) => {
      log.error({ err: fault }, "A device's message could not be handled");
      done("stopped");
    },
  );
};
