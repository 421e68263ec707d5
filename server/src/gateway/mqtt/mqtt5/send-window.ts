import type { IConnectPacket, IPublishPacket } from "mqtt-packet";
import { ConnectionEnded, Reason } from "./reasons.ts";

/** Limits of the queue of messages behind the client's receive maximum: more than a device with all its sub-devices is ever sent at once. */
const waitingLimit = { messages: 1_000, bytes: 1024 * 1024 };

const bytesOf = ({ topic, payload }: IPublishPacket): number => topic.length + payload.length;

/** Flow control towards one client. [MQTT5 3.1.2.11] */
export interface SendWindow {
  /** Takes the limits from a CONNECT. */
  open(packet: IConnectPacket): void;
  /** Whether a message may be sent now; otherwise a QoS 1 or 2 message is queued. Throws `ConnectionEnded` when the queue is full. */
  take(packet: IPublishPacket): boolean;
  /** A message was acknowledged; returns the messages that may be sent now. */
  release(): IPublishPacket[];
  /** Largest packet that the client accepts, bytes. */
  maximumPacketSize(): number;
}

export const createSendWindow = (): SendWindow => {
  let receiveMaximum = 65_535;
  let maximumPacketSize = Number.POSITIVE_INFINITY;
  let inFlight = 0;
  const waiting: IPublishPacket[] = [];
  let waitingBytes = 0;
  return {
    open: ({ properties }) => {
      receiveMaximum = properties?.receiveMaximum ?? receiveMaximum;
      maximumPacketSize = properties?.maximumPacketSize ?? maximumPacketSize;
    },
    take: (packet) => {
      if (packet.qos === 0) return true;
      if (inFlight >= receiveMaximum) {
        waitingBytes += bytesOf(packet);
        if (waiting.length >= waitingLimit.messages || waitingBytes > waitingLimit.bytes)
          throw new ConnectionEnded(Reason.quotaExceeded, "The client acknowledges too little of what it is sent");
        waiting.push(packet);
        return false;
      }
      inFlight += 1;
      return true;
    },
    release: () => {
      const next = waiting.splice(0, 1);
      for (const packet of next) waitingBytes -= bytesOf(packet);
      if (next.length === 0) inFlight = Math.max(0, inFlight - 1);
      return next;
    },
    maximumPacketSize: () => maximumPacketSize,
  };
};
