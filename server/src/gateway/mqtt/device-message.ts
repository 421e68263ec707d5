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
  /** Answers on the same connection, whatever it is subscribed to. */
  reply(topic: string, payload: unknown): void;
}

/** Handles the message if the topic is its own; returns whether it did. */
export type TopicHandler = (message: DeviceMessage) => boolean;

/** The topics of one protocol on the broker. */
export interface TopicFamily {
  handle: TopicHandler;
  /** Whether a device may subscribe to the filter. Every client gets only what is sent to its own device. */
  maySubscribe(filter: string): boolean;
  /** Called when a device has subscribed; filters in their long form. */
  onSubscribed?(device: KnownDevice, filters: readonly string[]): void;
  /** Called when the device's last connection has ended. */
  onGone?(deviceId: number): void;
}

export interface TopicNeeds extends Pick<World, "db" | "clock" | "files" | "log"> {
  intake: Intake;
  attributes: AttributeStore;
  findAttributes: FindAttributes;
  pushSettings: (deviceId: number) => void;
  commands: Commands;
  connections: Connections;
}

/** The JSON object of a payload; undefined, and counted as refused, when it is not one. */
export const payloadRecord = (message: DeviceMessage): Record<string, unknown> | undefined => {
  const { payload } = message;
  const value = parseJson(payload);
  if (isRecord(value)) return value;
  message.refuse(RefusalReason.badPayload, "", payload.subarray(0, 64).toString());
  return undefined;
};

/** Longest name of a device or request, characters. Device IDs have 12; longer names are not echoed. */
export const longestName = 256;

/** Finds a sub-device of the sender; undefined, and counted as refused, when the ID is invalid or names no sub-device of it. */
export const subDeviceOf = async (
  { intake }: Pick<TopicNeeds, "intake">,
  message: DeviceMessage,
  deviceSnId: unknown,
): Promise<KnownDevice | undefined> => {
  if (typeof deviceSnId !== "string") {
    message.refuse(RefusalReason.badPayload, "device");
    return undefined;
  }
  const isKnowable = deviceSnId.length <= longestName;
  const sub = isKnowable ? (await intake.subDevices(message.device, [deviceSnId])).get(deviceSnId) : undefined;
  if (!sub) message.refuse(RefusalReason.unknownDevice, deviceSnId.slice(0, 64));
  return sub;
};

/** Completes a message when `work` resolves with the number of stored values; a fault leaves it unacknowledged, so that the device sends it again. */
export const settle = (
  { log }: Pick<TopicNeeds, "log">,
  message: DeviceMessage,
  work: Promise<number | undefined>,
): void => {
  work.then(
    (stored) => message.done("stored", stored),
    (fault: unknown) => {
      log.error(
        { err: fault },
        "Could not handle a device's message; it is not acknowledged, so that the device sends it again",
      );
      message.done("stopped");
    },
  );
};
