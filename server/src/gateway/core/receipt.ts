import { RefusalReason } from "@telltale/contract/device-api";
import type { KnownDevice, Outcome, Refusals } from "../../telemetry/index.ts";
import type { Delivery } from "./arrivals/message-identity.ts";

/**
 * Counts one refused value of a message, or `count` of them of which `key` and `value` are the last, for `device` (by default the sender) and in the
 * message's receipt.
 */
export type Refuse = (
  reason: RefusalReason,
  key?: string,
  value?: string,
  device?: KnownDevice,
  count?: number,
) => void;

/** The result of a message. Each transport reports as much of it as its acknowledgements can carry. */
export interface Receipt {
  outcome: Outcome;
  /** Number of committed readings and attributes. */
  stored: number;
  /** Number of refused values; 1 for a message that was refused as a whole. */
  refused: number;
  /** Reason of the first refusal. */
  reason?: RefusalReason;
  /** Whether every refusal was for a key that the device does not have. */
  isUnknownOnly: boolean;
}

/** A message of a device, whatever the transport. */
export interface Incoming {
  /** The sender. */
  device: KnownDevice;
  payload: Buffer;
  delivery: Delivery;
  refuse: Refuse;
  /** Call once, after the commit; `stored` is the number of committed values (default 0). */
  done: (outcome: Outcome, stored?: number) => void;
}

interface Sent {
  device: KnownDevice;
  payload: Buffer;
  delivery: Delivery;
  /** Its topic, for the refusal count if it cannot be handled. */
  topic: string;
}

/** Creates the handling of one message: counts refusals and passes the receipt to `finish` when it is done. */
export const createIncoming = (
  refusals: Pick<Refusals, "count">,
  { device, payload, delivery, topic }: Sent,
  finish: (receipt: Receipt) => void,
): Incoming => {
  const receipt: Receipt = { outcome: "stored", stored: 0, refused: 0, isUnknownOnly: true };
  // Only this part of the payload stays in memory while the message waits for its commit.
  const beginning = payload.subarray(0, 64).toString();
  const refuse: Refuse = (reason, key = "", value = "", of = device, count = 1) => {
    refusals.count(of.deviceId, reason, key, value, count);
    receipt.reason ??= reason;
    receipt.refused += count;
    if (reason !== RefusalReason.unknownKey) receipt.isUnknownOnly = false;
  };
  return {
    device,
    payload,
    delivery,
    refuse,
    done: (outcome, stored = 0) => {
      if (outcome === "refused") refuse(RefusalReason.badPayload, topic.slice(0, 64), beginning);
      receipt.outcome = outcome;
      receipt.stored = outcome === "stored" ? stored : 0;
      finish(receipt);
    },
  };
};

const sentences: Record<RefusalReason, string> = {
  [RefusalReason.unknownKey]: "the key is not known for this device",
  [RefusalReason.channelOff]: "the channel is switched off",
  [RefusalReason.notANumber]: "the value is no number",
  [RefusalReason.tooLargeValue]: "the value is too large",
  [RefusalReason.badValue]: "the key does not take this value",
  [RefusalReason.tooFarAhead]: "the time is more than a day ahead",
  [RefusalReason.badTimestamp]: "the time is no time in milliseconds since 1970",
  [RefusalReason.noLongerKept]: "the time is before the readings that are kept",
  [RefusalReason.badPayload]: 'the message is no JSON object such as {"AI1": 4.2}',
  [RefusalReason.tooLarge]: "the message is too large",
  [RefusalReason.tooManyMetrics]:
    "too many metrics at once: a message holds at most 10,000, the births of an edge node 20,000",
  [RefusalReason.notClaimed]: "the device has not been added to an account",
  [RefusalReason.disabled]: "the device is disabled",
  [RefusalReason.serviceExpired]: "the device's service has expired",
  [RefusalReason.unknownDevice]: "no such sub-device reports through this device",
  [RefusalReason.notOffered]: "no firmware is offered to this device",
  [RefusalReason.badChunk]: "there is no such chunk",
  [RefusalReason.unknownTopic]: "this topic is not part of the device API",
  [RefusalReason.tooManyRequests]: "too many requests are being answered at once",
  [RefusalReason.notProvisioned]: "the device can't register itself",
  [RefusalReason.notSupported]: "this server does not offer this",
};

/** Refusals caused by the device's state and not by the message: the same message may be accepted once that state has changed. */
const ofTheDevice: readonly RefusalReason[] = [
  RefusalReason.notClaimed,
  RefusalReason.disabled,
  RefusalReason.serviceExpired,
];

/** Whether the message was refused as a whole because of its content, so that the sender must change it. */
export const isRefusedWhole = ({ stored, refused, reason }: Receipt): boolean =>
  stored === 0 && refused > 0 && reason !== undefined && !ofTheDevice.includes(reason);

/** A sentence about what was refused; undefined when nothing was. */
export const receiptText = ({ stored, refused, reason, isUnknownOnly }: Receipt): string | undefined => {
  if (refused === 0 || reason === undefined) return undefined;
  if (stored > 0) return `${refused} of ${stored + refused} values refused: ${sentences[reason]}`;
  if (reason === RefusalReason.unknownKey && isUnknownOnly && refused > 1)
    return "Nothing stored: none of the keys is known for this device";
  return `Nothing stored: ${sentences[reason]}`;
};
