import { crc32 } from "node:zlib";

/** What the transport knows about a message beyond its payload. */
export interface Delivery {
  /** MQTT packet identifier of a QoS 1 or 2 message. */
  packetId?: number;
  /** The sender marks the message as a resend (DUP). */
  isRepeated?: boolean;
  /** Its connection; once that is closed the sender will not receive an acknowledgement. */
  connection?: { readonly closed: boolean };
}

/** Rejects the look-up of a message whose device has gone on elsewhere: it is not to be stored here. */
export class SentElsewhere extends Error {
  constructor() {
    super("Its device has sent this message to another node, and later ones since");
    this.name = "SentElsewhere";
  }
}

/** Identifies a message, to find its first arrival time when it is resent. */
export interface MessageIdentity {
  deviceId: number;
  slot: number;
  digest: number;
  /** How many clean DISCONNECTs of its device preceded the message. */
  epoch: number;
}

/** Slots for arrival times per device. More messages than this are never in flight at once. */
const arrivalSlots = 1024;

/** The identity of a message with this MQTT packet identifier. */
export const identityOf = (
  { deviceId, epoch }: Pick<MessageIdentity, "deviceId" | "epoch">,
  payload: Buffer,
  packetId: number,
): MessageIdentity => ({ deviceId, slot: packetId % arrivalSlots, digest: crc32(payload, packetId), epoch });

/** The same for a message and its resend. */
export const keyOf = ({ deviceId, slot, digest }: MessageIdentity): string => `${deviceId}:${slot}:${digest}`;
