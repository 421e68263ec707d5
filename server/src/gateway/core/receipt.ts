import { RefusalReason } from "@telltale/contract/device-api";
import type { KnownDevice, Outcome, Refusals } from "../../telemetry/index.ts";
import type { Delivery } from "./arrivals/message-identity.ts";

/** Takes what is refused of a message. */
export interface Refusing {
  /**
   * Counts one refused value, or `count` of them of which `key` and `value` are the last, for `device` (by default the sender) and in the message's
   * receipt.
   */
  refuse(reason: RefusalReason, key?: string, value?: string, device?: KnownDevice, count?: number): void;
}

/** The result of a message. Each transport reports as much of it as its acknowledgements can carry. */
export interface Receipt {
  outcome: Outcome;
  /** Number of committed readings and attributes. */
  stored: number;
  /** Number of refused values; 1 for a message that was refused as a whole. */
  refused: number;
  /** Reason of the first refusal. */
  reason: RefusalReason | undefined;
  /** Whether every refusal was for a key that the device does not have. */
  isUnknownOnly: boolean;
}

/** What has come from a device. */
interface Sent {
  /** The sender. */
  readonly device: KnownDevice;
  readonly payload: Buffer;
  readonly delivery: Delivery;
  /** Its topic, for the refusal count if it cannot be handled; empty where its transport has none. */
  readonly topic: string;
}

/** A message of a device, whatever the transport. */
export interface Incoming extends Sent, Refusing {
  /** Lets go of the payload once it is decoded: the message waits for its commit without it. */
  forgetPayload(): void;
  /**
   * Call once, after the commit; `committed` is the number of values that it holds of this message, by default 0. `content`: the beginning of one that is
   * refused as a whole, by default of its payload.
   */
  done(outcome: Outcome, committed?: number, content?: string): void;
}

const none = Buffer.alloc(0);

/**
 * Counts what is refused of a message, and tells its sender the result. A class: thousands of messages wait for their commits at any moment, and what the
 * garbage collector copies of each is one object instead of several closures.
 */
export abstract class Received implements Incoming {
  readonly device: KnownDevice;
  payload: Buffer;
  readonly delivery: Delivery;
  readonly topic: string;
  private readonly refusals: Pick<Refusals, "count">;
  private refused = 0;
  private reason: RefusalReason | undefined;
  private isUnknownOnly = true;

  constructor({ device, payload, delivery, topic }: Sent, refusals: Pick<Refusals, "count">) {
    this.device = device;
    this.payload = payload;
    this.delivery = delivery;
    this.topic = topic;
    this.refusals = refusals;
  }

  refuse(reason: RefusalReason, key = "", value = "", device = this.device, count = 1): void {
    this.refusals.count(device.deviceId, reason, key, value, count);
    this.reason ??= reason;
    this.refused += count;
    if (reason !== RefusalReason.unknownKey) this.isUnknownOnly = false;
  }

  forgetPayload(): void {
    this.payload = none;
  }

  done(outcome: Outcome, committed = 0, content?: string): void {
    if (outcome === "refused")
      this.refuse(
        RefusalReason.badPayload,
        this.topic.slice(0, 64),
        (content ?? this.payload.subarray(0, 64).toString()).slice(0, 64),
      );
    const { refused, reason, isUnknownOnly } = this;
    const stored = outcome === "stored" ? committed : 0;
    this.finish({ outcome, stored, refused, reason, isUnknownOnly });
  }

  /** Tells the sender. */
  protected abstract finish(receipt: Receipt): void;
}

class CalledBack extends Received {
  protected readonly finish: (receipt: Receipt) => void;

  constructor(sent: Sent, refusals: Pick<Refusals, "count">, finish: (receipt: Receipt) => void) {
    super(sent, refusals);
    this.finish = finish;
  }
}

/** A message whose receipt is passed to `finish`. */
export const createIncoming = (
  refusals: Pick<Refusals, "count">,
  sent: Sent,
  finish: (receipt: Receipt) => void,
): Incoming => new CalledBack(sent, refusals, finish);

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
