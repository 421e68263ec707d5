import { crc32 } from "node:zlib";
import type { KnownDevice } from "../telemetry/known-device.ts";

/** What a transport says about a message, beyond its content. */
export interface Delivery {
  /** MQTT packet identifier of a QoS 1 or 2 message. */
  packetId?: number;
  /** The sender says that it sends the message again. */
  isRepeated?: boolean;
}

/** Finds the arrival time of a message again when its sender repeats it. */
export interface MessageIdentity {
  deviceId: number;
  slot: number;
  digest: number;
}

/** Places for arrival times of one device; more messages than these are never in flight at once. */
const arrivalSlots = 1024;

/** Undefined for a message that its transport never repeats. */
export const identityOf = (
  device: KnownDevice,
  payload: Buffer,
  { packetId }: Delivery,
): MessageIdentity | undefined =>
  packetId === undefined
    ? undefined
    : { deviceId: device.deviceId, slot: packetId % arrivalSlots, digest: crc32(payload, packetId) };

/** The time that this message was given at its first arrival, epoch milliseconds, if it was committed then. */
export const earlierArrival = "SELECT ts FROM arrivals WHERE device_id = $1 AND packet_id = $2 AND digest = $3";
