import { RefusalReason } from "@telltale/contract/device-api";
import { batched } from "../../platform/database/batched.ts";
import {
  type KnownDevice,
  type Load,
  loadsOf,
  type Outcome,
  type Registry,
  type Writer,
} from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { Arrivals } from "./arrivals.ts";
import type { AttributeStore } from "./attributes.ts";
import type { MessageIdentity } from "./message-identity.ts";
import type { Incoming } from "./receipt.ts";
import {
  type DecodedTelemetry,
  decodeTelemetry,
  emptyTelemetry,
  type FirmwareReport,
  parseJson,
  type Refused,
} from "./telemetry-payload.ts";

/** Decodes a message into columns; readings without a time get `now`. */
export type Fill = (into: DecodedTelemetry, now: number) => void;

export interface Intake {
  /** Telemetry of the device itself. `done` is called after the commit. */
  telemetry(message: Incoming): void;
  /** Telemetry of the device's sub-devices, keyed by device ID. */
  gatewayTelemetry(message: Incoming): void;
  /** `count` readings that the protocol decoded itself, and the devices that are marked as heard. */
  readings(message: Incoming, devices: readonly KnownDevice[], fill: Fill, count: number): void;
  /** Marks the device as heard without a reading. Reloads it if it is stale. */
  heard(device: KnownDevice): Promise<void>;
  /** The sub-devices of a master by device ID; devices of another master are left out. */
  subDevices(master: KnownDevice, deviceSnIds: readonly string[]): Promise<ReadonlyMap<string, KnownDevice>>;
}

export interface IntakeNeeds extends Pick<World, "clock" | "log"> {
  registry: Registry;
  writer: Writer;
  arrivals: Arrivals;
  /** Stores firmware reports that arrive among the readings. */
  attributes: AttributeStore;
}

interface Needs extends IntakeNeeds {
  reload: (device: KnownDevice) => Promise<undefined>;
  /** By device: its last queued message. */
  waiting: Map<KnownDevice, Promise<void>>;
}

/** A message being processed: the devices it is from, and how to decode it. */
interface Message {
  incoming: Incoming;
  devices: readonly KnownDevice[];
  /** Arrival time, epoch milliseconds. Readings without a time of their own get it, however long the message waits. */
  arrivedTs: number;
  fill: Fill;
  /** Its share of the queue's limits while it waits. */
  load: Load;
  identity?: MessageIdentity | undefined;
}

/** Decodes a message. A resent message without a time of its own gets the time of its first arrival. */
const decode = ({ arrivals }: Needs, { fill, identity, arrivedTs, incoming }: Message, earlier: number | undefined) => {
  const decodeAt = (ts: number) => {
    const into = emptyTelemetry();
    fill(into, ts);
    return { ...into, ts };
  };
  const decoded = decodeAt(arrivedTs);
  if (decoded.isTimed || !identity) return decoded;
  const first = earlier ?? arrivals.waiting(identity, incoming.delivery.isRepeated ?? false);
  return first === undefined ? decoded : decodeAt(first);
};

/** Wraps `done` so that it is called only after the firmware reports are stored as well. */
const afterFirmware = (
  { attributes, log }: Needs,
  reported: readonly FirmwareReport[],
  { refuse, done }: Incoming,
): Incoming["done"] => {
  if (reported.length === 0) return done;
  const taken = Promise.all(reported.map(({ device, facts }) => attributes.store(device, facts, refuse))).then(
    (counts) => counts.reduce((sum, count) => sum + count, 0),
    (fault: unknown) => {
      log.error(
        { err: fault },
        "Could not store a device's firmware report; the message is not acknowledged, so that the device sends it again",
      );
      return undefined;
    },
  );
  return (outcome, stored = 0) =>
    void taken.then((count) => (count === undefined ? done("stopped") : done(outcome, stored + count)));
};

/** Counts the refused values of a message, once per device and reason, since a message may hold thousands. */
const countRefused = (refused: readonly Refused[], refuse: Incoming["refuse"]): void => {
  const counts = new Map<KnownDevice, Map<RefusalReason, { last: Refused; count: number }>>();
  for (const last of refused) {
    const ofDevice = counts.get(last.device) ?? new Map();
    counts.set(last.device, ofDevice);
    ofDevice.set(last.reason, { last, count: (ofDevice.get(last.reason)?.count ?? 0) + 1 });
  }
  for (const [device, ofDevice] of counts)
    for (const [reason, { last, count }] of ofDevice) refuse(reason, last.key, last.value, device, count);
};

const markAsHeard = (device: KnownDevice, now: number): void => {
  device.heardAt = now;
  device.linkLostAt = undefined;
};

/** Submits a message to the writer. `loads`: of its devices before it was looked up. `earlier`: time of its first arrival, if it was resent. */
const submit = (needs: Needs, message: Message, loads: number, earlier?: number): void => {
  const { clock, writer, arrivals } = needs;
  const { incoming, devices, identity } = message;
  // The callbacks that wait for the commit must not keep the payload in memory.
  const { delivery } = incoming;
  const { bytes } = message.load;
  const { channels, times, values, isTimed, firmware, refused, ts } = decode(needs, message, earlier);
  const finish = afterFirmware(needs, firmware, incoming);
  const done = (outcome: Outcome): void => finish(outcome, channels.length);
  countRefused(refused, incoming.refuse);
  for (const device of devices) markAsHeard(device, clock.now());
  // Nothing to store and no device to mark online: done.
  if (channels.length === 0 && devices.every((device) => device.isOnline)) {
    done("stored");
    return;
  }
  if (!identity || isTimed || channels.length === 0) {
    writer.submit({ devices, channels, times, values, bytes, done });
    return;
  }
  const wait = arrivals.wait(identity, ts);
  const ended = (outcome: Outcome): void => {
    wait.end(outcome === "stored" && (delivery.isGone?.() ?? false));
    done(outcome);
  };
  const find = () => wait.lookUp(delivery.isRepeated ?? false);
  const lookUp = { loads, find };
  writer.submit({ devices, channels, times, values, bytes, arrival: { ...identity, ts }, lookUp, done: ended });
};

/** Resolves once the device is reloaded if stale, and online; "stopped" when the database is not available. */
const markHeard = ({ clock, writer }: IntakeNeeds, device: KnownDevice): Promise<Outcome> =>
  new Promise((resolve) => {
    markAsHeard(device, clock.now());
    if (device.isOnline && !device.isStale) resolve("stored");
    else writer.submit({ devices: [device], channels: [], times: [], values: [], done: resolve });
  });

const allHeard = async (needs: IntakeNeeds, devices: readonly KnownDevice[]): Promise<boolean> =>
  (await Promise.all(devices.map((device) => markHeard(needs, device)))).every((outcome) => outcome !== "stopped");

/** Submits a message whose devices are up to date. */
const takeNow = (needs: Needs, message: Message): void => {
  const { identity, incoming } = message;
  const loads = loadsOf(message.devices);
  const before = identity && needs.arrivals.first(identity, incoming.delivery.isRepeated ?? false);
  if (!before) {
    submit(needs, message, loads);
    return;
  }
  // A resent message that was committed without an acknowledgement keeps its first arrival time, so that its readings are stored once.
  before.then((earlier) => submit(needs, message, loads, earlier)).catch(() => incoming.done("stopped"));
};

/** Submits a message once its devices are up to date and the queue has room; usually at once. */
const take = (needs: Needs, message: Message): void => {
  const { waiting } = needs;
  const { devices } = message;
  const stale = devices.filter((device) => device.isStale);
  // Keeps the order of a device: a message waits behind an earlier one that is still queued.
  const ahead = devices.flatMap((device) => waiting.get(device) ?? []);
  const { writer } = needs;
  const { device: sender } = message.incoming;
  if (writer.isFull(sender)) {
    message.incoming.done("stopped");
    return;
  }
  if (stale.length === 0 && ahead.length === 0 && writer.hasRoom(sender)) {
    takeNow(needs, message);
    return;
  }
  const takeInTurn = async (): Promise<void> => {
    const listener = allHeard(needs, stale);
    const release = writer.hold(sender, message.load);
    const [isHeard] = await Promise.all([listener, ...ahead]);
    const hasRoom = await writer.waitForRoom(sender);
    release();
    try {
      if (isHeard && hasRoom) takeNow(needs, message);
      else message.incoming.done("stopped");
    } catch (fault) {
      // A resend would fail again.
      needs.log.error({ err: fault }, "Unexpected fault in a device's message; the message is counted as refused");
      message.incoming.done("refused");
    }
  };
  const taken = takeInTurn().finally(() => {
    for (const device of devices) if (waiting.get(device) === taken) waiting.delete(device);
  });
  for (const device of devices) waiting.set(device, taken);
};

/** The JSON object or array of a payload. Any other payload is counted as refused, acknowledged and undefined is returned. */
const parsed = ({ payload, refuse, done }: Incoming): object | undefined => {
  const value = parseJson(payload);
  if (typeof value === "object" && value !== null) return value;
  refuse(RefusalReason.badPayload, "", payload.subarray(0, 64).toString());
  done("stored");
  return undefined;
};

/** Reloads stale devices between two batches without marking them as heard: they may belong to another master. */
const reloader = ({ writer, registry }: IntakeNeeds) =>
  batched(async (devices: readonly KnownDevice[]) => {
    await writer.exclusively(() => registry.reload(devices));
    return devices.map(() => undefined);
  });

/** Looks all sub-devices up in one query, since a message may name thousands that do not exist. */
const findSubDevices = async (
  { registry, reload }: Needs,
  master: KnownDevice,
  deviceSnIds: readonly string[],
): Promise<ReadonlyMap<string, KnownDevice>> => {
  const found = await registry.findAll(deviceSnIds);
  await Promise.all([...found.values()].filter((device) => device.isStale).map(reload));
  return new Map([...found].filter(([, device]) => device.parentDeviceId === master.deviceId));
};

const takeGatewayTelemetry = async (needs: Needs, incoming: Incoming): Promise<void> => {
  const { device: master, payload, delivery } = incoming;
  const value = parsed(incoming);
  if (value === undefined) return;
  const arrivedTs = needs.clock.now();
  const identity = needs.arrivals.identityOf(master, payload, delivery);
  const known = await findSubDevices(needs, master, Object.keys(value));
  const fill: Fill = (into, now) => {
    for (const [deviceSnId, telemetry] of Object.entries(value)) {
      const device = known.get(deviceSnId);
      if (device) decodeTelemetry(into, device, telemetry, now);
      else
        into.refused.push({
          device: master,
          reason: RefusalReason.unknownDevice,
          key: deviceSnId.slice(0, 64),
          value: "",
        });
    }
  };
  const load = { readings: 0, bytes: payload.length };
  take(needs, { incoming, devices: [master, ...known.values()], arrivedTs, fill, load, identity });
};

/** Creates the intake, which every transport uses: decodes a message, counts refused values, submits the rest to the writer. */
export const createIntake = (given: IntakeNeeds): Intake => {
  const needs: Needs = { ...given, reload: reloader(given), waiting: new Map() };
  const { clock } = given;
  return {
    heard: async (device) => void (await markHeard(needs, device)),
    subDevices: (master, deviceSnIds) => findSubDevices(needs, master, deviceSnIds),
    readings: (incoming, devices, fill, count) => {
      const load = { readings: count, bytes: incoming.payload.length };
      take(needs, { incoming, devices, arrivedTs: clock.now(), fill, load });
    },
    telemetry: (incoming) => {
      const { device, payload, delivery } = incoming;
      const value = parsed(incoming);
      if (value === undefined) return;
      const fill: Fill = (into, now) => decodeTelemetry(into, device, value, now);
      const identity = needs.arrivals.identityOf(device, payload, delivery);
      const load = { readings: 0, bytes: payload.length };
      take(needs, { incoming, devices: [device], arrivedTs: clock.now(), fill, load, identity });
    },
    gatewayTelemetry: (incoming) => {
      takeGatewayTelemetry(needs, incoming).catch((fault: unknown) => {
        needs.log.error(
          { err: fault },
          "Could not handle a master's message; it is not acknowledged, so that the master sends it again",
        );
        incoming.done("stopped");
      });
    },
  };
};
