import { RefusalReason } from "@telltale/contract/device-api";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { Refusals } from "../telemetry/refusals.ts";
import type { Outcome } from "../telemetry/submission.ts";
import type { World } from "../world.ts";
import type { AttributeStore } from "./attributes.ts";
import type { Commands } from "./commands.ts";
import type { Connections } from "./connections.ts";
import type { Intake } from "./intake.ts";
import type { Delivery } from "./message-identity.ts";
import type { FindSharedAttributes } from "./shared-attributes.ts";
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

export interface TopicNeeds extends Pick<World, "db" | "clock" | "files" | "log"> {
  intake: Intake;
  attributes: AttributeStore;
  sharedAttributes: FindSharedAttributes;
  tellSettings: (deviceId: number) => void;
  commands: Commands;
  connections: Connections;
  refusals: Refusals;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The JSON object of a payload; an empty one, counted as refused, when it is none. */
export const payloadRecord = (
  { refusals }: TopicNeeds,
  { device, payload }: DeviceMessage,
): Record<string, unknown> => {
  const value = parseJson(payload);
  if (isRecord(value)) return value;
  refusals.count(device.deviceId, RefusalReason.badPayload, "", payload.subarray(0, 64).toString());
  return {};
};

/** Ends a message with its work; a fault leaves it unacknowledged, so that the device sends it again. */
export const settle = ({ log }: TopicNeeds, { done }: DeviceMessage, work: Promise<unknown>): void => {
  work.then(
    () => done("stored"),
    (fault: unknown) => {
      log.error({ err: fault }, "A device's message could not be handled");
      done("stopped");
    },
  );
};
