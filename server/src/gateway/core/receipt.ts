import { RefusalReason } from "@telltale/contract/device-api";
import type { KnownDevice, Outcome, Refusals } from "../../telemetry/index.ts";
import type { Delivery } from "./message-identity.ts";

/** Counts a value of a message as refused, or several of which `key` and `value` are the last, for their device (by default the sender) and for the message's receipt. */
export type Refuse = (
  reason: RefusalReason,
  key?: string,
  value?: string,
  device?: KnownDevice,
  count?: number,
) => void;

/** What became of a message. A transport tells its sender as much of it as its acknowledgements can say. */
export interface Receipt {
  outcome: Outcome;
  /** Readings and attributes that are committed. */
  stored: number;
  /** Values that were refused; one for a message that was refused whole. */
  refused: number;
  /** Why the first of them was. */
  reason?: RefusalReason;
  /** Whether every refused value had a key that its device does not have. */
  isUnknownOnly: boolean;
}

/** A message of a device, whatever the transport. */
export interface Incoming {
  /** Who sent it. */
  device: KnownDevice;
  payload: Buffer;
  delivery: Delivery;
  refuse: Refuse;
  /** To be called once, after the commit of the `stored` values (0 unless said). */
  done: (outcome: Outcome, stored?: number) => void;
}

interface Sent {
  device: KnownDevice;
  payload: Buffer;
  delivery: Delivery;
  /** Where it was sent to, for the count of one that can't be handled. */
  topic: string;
}

/** Takes a message in hand: what is refused of it is counted, and its receipt given to `finish` when it is done. */
export const createIncoming = (
  refusals: Pick<Refusals, "count">,
  { device, payload, delivery, topic }: Sent,
  finish: (receipt: Receipt) => void,
): Incoming => {
  const receipt: Receipt = { outcome: "stored", stored: 0, refused: 0, isUnknownOnly: true };
  // All that is left of the payload for as long as the message waits for its commit.
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
  [RefusalReason.notSupported]: "this server does not offer this",
};

/** Whom a refusal tells nothing to do about the message itself: it may be sent again when the device's state has changed. */
const ofTheDevice: readonly RefusalReason[] = [
  RefusalReason.notClaimed,
  RefusalReason.disabled,
  RefusalReason.serviceExpired,
];

/** Whether a message was refused whole for what it holds, so that its sender must change it. */
export const isRefusedWhole = ({ stored, refused, reason }: Receipt): boolean =>
  stored === 0 && refused > 0 && reason !== undefined && !ofTheDevice.includes(reason);

/** A sentence on what was refused; undefined when nothing was. */
export const receiptText = ({ stored, refused, reason, isUnknownOnly }: Receipt): string | undefined => {
  if (refused === 0 || reason === undefined) return undefined;
  if (stored > 0) return `${refused} of ${stored + refused} values refused: ${sentences[reason]}`;
  if (reason === RefusalReason.unknownKey && isUnknownOnly && refused > 1)
    return "Nothing stored: none of the keys is known for this device";
  return `Nothing stored: ${sentences[reason]}`;
};
