import type { RefusalReason } from "@telltale/contract/device-api";
import {
  type KnownChannel,
  type KnownDevice,
  type Load,
  loadsOf,
  type Outcome,
  type Writer,
} from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { Arrivals } from "./arrivals/arrivals.ts";
import { type MessageIdentity, SentElsewhere } from "./arrivals/message-identity.ts";
import type { AttributeStore } from "./attributes.ts";
import type { Incoming } from "./receipt.ts";
import { type DecodedTelemetry, emptyTelemetry, type FirmwareReport, type Refused } from "./telemetry-payload.ts";

/** Decodes a message into columns; readings without a time get `now`. */
export type Fill = (into: DecodedTelemetry, now: number) => void;

export interface SubmissionNeeds extends Pick<World, "clock" | "log"> {
  writer: Writer;
  arrivals: Arrivals;
  /** Stores firmware reports that arrive among the readings. */
  attributes: AttributeStore;
  /** By device: its last message whose first arrival is being looked up. */
  lookedUp: Map<KnownDevice, Promise<void>>;
}

/** A message being processed: the devices it is from, and how to decode it. */
export interface Message {
  incoming: Incoming;
  devices: readonly KnownDevice[];
  /** Arrival time, epoch milliseconds. Readings without a time of their own get it, however long the message waits. */
  arrivedTs: number;
  fill: Fill;
  /** Its share of the queue's limits while it waits. */
  load: Load;
  /** Identifies it, to find its first arrival; absent for a message that its transport never resends. */
  identify?: (() => MessageIdentity) | undefined;
}

/** A decoded message. */
interface Decoded extends DecodedTelemetry {
  /** The time that its readings without one have got. */
  ts: number;
  /** Absent when every reading has a time of its own: then a resend is found by that. */
  identity: MessageIdentity | undefined;
}

const decodeAt = ({ fill, identify }: Message, ts: number): Decoded => {
  const into = emptyTelemetry();
  fill(into, ts);
  return { ...into, ts, identity: into.isTimed ? undefined : identify?.() };
};

/** Returns what is told when the readings are committed: the message, or what tells it once the firmware reports are stored as well. */
const afterFirmware = (
  { attributes, log }: SubmissionNeeds,
  reported: readonly FirmwareReport[],
  incoming: Incoming,
): Pick<Incoming, "done"> => {
  if (reported.length === 0) return incoming;
  const taken = Promise.all(reported.map(({ device, facts }) => attributes.store(device, facts, incoming))).then(
    (counts) => counts.reduce((sum, count) => sum + count, 0),
    (fault: unknown) => {
      log.error(
        { err: fault },
        "Could not store a device's firmware report; the message is not acknowledged, so that the device sends it again",
      );
      return undefined;
    },
  );
  return {
    done: (outcome, stored = 0, content?: string) =>
      void taken.then((count) =>
        count === undefined ? incoming.done("stopped") : incoming.done(outcome, stored + count, content),
      ),
  };
};

/** Counts the refused values of a message, once per device and reason, since a message may hold thousands. */
const countRefused = (refused: readonly Refused[], incoming: Incoming): void => {
  if (refused.length === 0) return;
  const counts = new Map<KnownDevice, Map<RefusalReason, { last: Refused; count: number }>>();
  for (const last of refused) {
    const ofDevice = counts.get(last.device) ?? new Map();
    counts.set(last.device, ofDevice);
    ofDevice.set(last.reason, { last, count: (ofDevice.get(last.reason)?.count ?? 0) + 1 });
  }
  for (const [device, ofDevice] of counts)
    for (const [reason, { last, count }] of ofDevice) incoming.refuse(reason, last.key, last.value, device, count);
};

export const markAsHeard = (device: KnownDevice, now: number): void => {
  device.heardAt = now;
  device.linkLostAt = undefined;
};

/** The first readings of a message whose payload is gone, as its sender may have written them. */
const contentOf = (channels: readonly KnownChannel[], values: readonly number[]): string =>
  JSON.stringify(Object.fromEntries(channels.slice(0, 8).map(({ code }, at) => [code, values[at]])));

/** Submits a decoded message to the writer. `loads`: of its devices before its first arrival was looked up. */
const submit = (needs: SubmissionNeeds, message: Message, decoded: Decoded, loads: number): void => {
  const { clock, writer, arrivals } = needs;
  const { incoming, devices } = message;
  const { delivery } = incoming;
  const { bytes } = message.load;
  const { channels, times, values, identity, firmware, refused, ts } = decoded;
  const finishing = afterFirmware(needs, firmware, incoming);
  const done = (outcome: Outcome): void =>
    finishing.done(outcome, channels.length, outcome === "refused" ? contentOf(channels, values) : undefined);
  countRefused(refused, incoming);
  incoming.forgetPayload();
  for (const device of devices) markAsHeard(device, clock.now());
  // Nothing to store and no device to mark online: done.
  if (channels.length === 0 && devices.every((device) => device.isOnline)) {
    done("stored");
    return;
  }
  if (!identity || channels.length === 0) {
    writer.submit({ devices, channels, times, values, bytes, done });
    return;
  }
  const wait = arrivals.wait(identity, ts);
  const ended = (outcome: Outcome): void => {
    wait.end(outcome === "stored" && (delivery.connection?.closed ?? false));
    done(outcome);
  };
  const find = () =>
    wait.lookUp(delivery).catch((fault: unknown) => {
      if (fault instanceof SentElsewhere) return undefined;
      throw fault;
    });
  const lookUp = { loads, find };
  writer.submit({ devices, channels, times, values, bytes, arrival: { ...identity, ts }, lookUp, done: ended });
};

/** A resend would fail again. */
export const refuseFaulty =
  ({ log }: SubmissionNeeds, { incoming }: Message) =>
  (fault: unknown): void => {
    log.error({ err: fault }, "Unexpected fault in a device's message; the message is counted as refused");
    incoming.done("refused");
  };

/** Submits the message after those of its devices whose first arrival is being looked up, so that their order is kept. */
const submitInOrder = (needs: SubmissionNeeds, message: Message, decoded: Decoded, loads: number): void => {
  const { lookedUp } = needs;
  const ahead = lookedUp.size === 0 ? [] : message.devices.flatMap((device) => lookedUp.get(device) ?? []);
  if (ahead.length === 0) submit(needs, message, decoded, loads);
  else
    Promise.all(ahead)
      .then(() => submit(needs, message, decoded, loads))
      .catch(refuseFaulty(needs, message));
};

/**
 * Submits a message whose devices are up to date. One without a time of its own that was committed without an acknowledgement keeps the time of its
 * first arrival, so that its readings are stored once; readings with a time of their own are stored once by that.
 */
export const submitMessage = (needs: SubmissionNeeds, message: Message): void => {
  const { arrivals, lookedUp } = needs;
  const { incoming, devices, arrivedTs } = message;
  const loads = loadsOf(devices);
  const decoded = decodeAt(message, arrivedTs);
  const { identity } = decoded;
  const { delivery } = incoming;
  const found = identity && arrivals.first(identity, delivery, loads);
  if (!identity || !found) {
    submitInOrder(needs, message, decoded, loads);
    return;
  }
  const submitAt = (first: number | undefined): void =>
    submit(needs, message, first === undefined ? decoded : decodeAt(message, first), loads);
  const ahead = devices.flatMap((device) => lookedUp.get(device) ?? []);
  const taken = Promise.all([found, ...ahead])
    .then(([first]) => submitAt(first ?? arrivals.waiting(identity, delivery.isRepeated ?? false)))
    .catch(() => incoming.done("stopped"))
    .finally(() => {
      for (const device of devices) if (lookedUp.get(device) === taken) lookedUp.delete(device);
    });
  for (const device of devices) lookedUp.set(device, taken);
};
