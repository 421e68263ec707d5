import { RefusalReason } from "@telltale/contract/device-api";
import { batched } from "../../platform/database/batched.ts";
import type { KnownDevice, Load, Outcome, Registry, Writer } from "../../telemetry/index.ts";
import type { World } from "../../world.ts";
import type { AttributeStore } from "./attributes.ts";
import type { Arrivals, MessageIdentity } from "./message-identity.ts";
import type { Incoming } from "./receipt.ts";
import {
  type DecodedTelemetry,
  decodeTelemetry,
  emptyTelemetry,
  parseJson,
  type Refused,
  type SaidOfFirmware,
} from "./telemetry-payload.ts";

/** Decodes a message into columns; `now` is the time for readings that carry none. */
export type Fill = (into: DecodedTelemetry, now: number) => void;

export interface Intake {
  /** Telemetry of the device itself. The message is done after the commit. */
  telemetry(message: Incoming): void;
  /** Telemetry of its sub-devices, by their device IDs. */
  gatewayTelemetry(message: Incoming): void;
  /** Readings that a protocol has decoded by itself, `count` of them, and the devices that are heard by them. */
  readings(message: Incoming, devices: readonly KnownDevice[], fill: Fill, count: number): void;
  /** The device was heard without telling a reading. Loads it again if it changed. */
  heard(device: KnownDevice): Promise<void>;
  /** Sub-devices of a master by their device IDs, those that are not its own left out. */
  subDevices(master: KnownDevice, deviceSnIds: readonly string[]): Promise<ReadonlyMap<string, KnownDevice>>;
}

export interface IntakeNeeds extends Pick<World, "clock" | "log"> {
  registry: Registry;
  writer: Writer;
  arrivals: Arrivals;
  /** Takes what devices say of their firmware among their readings. */
  attributes: AttributeStore;
}

interface Needs extends IntakeNeeds {
  reload: (device: KnownDevice) => Promise<undefined>;
  /** By device, its newest message that waits to be taken. */
  waiting: Map<KnownDevice, Promise<void>>;
}

/** A message on its way: who is heard by it, and how it decodes. */
interface Message {
  incoming: Incoming;
  devices: readonly KnownDevice[];
  /** The server's time at its arrival, which readings without a time of their own get however long the message has to wait. */
  arrivedTs: number;
  fill: Fill;
  /** What it takes while it waits to be taken. */
  load: Load;
  identity?: MessageIdentity | undefined;
}

/** Decodes a message. One without a time of its own, if it was here before, gets the time that it got then. */
const decode = ({ arrivals }: Needs, { fill, identity, arrivedTs, incoming }: Message, earlier: number | undefined) => {
  const decodeAt = (ts: number) => {
    const into = emptyTelemetry();
    fill(into, ts);
    return { ...into, ts };
  };
  const decoded = decodeAt(arrivedTs);
  if (decoded.isTimed || !identity) return decoded;
  const first = arrivals.waiting(identity, incoming.delivery.isRepeated ?? false) ?? earlier;
  return first === undefined ? decoded : decodeAt(first);
};

/** `done` once what was said of firmware is taken down as well. */
const afterFirmware = (
  { attributes, log }: Needs,
  said: readonly SaidOfFirmware[],
  { refuse, done }: Incoming,
): Incoming["done"] => {
  if (said.length === 0) return done;
  const taken = Promise.all(said.map(({ device, facts }) => attributes.store(device, facts, refuse))).then(
    (counts) => counts.reduce((sum, count) => sum + count, 0),
    (fault: unknown) => {
      log.error({ err: fault }, "What devices said of their firmware could not be taken down");
      return undefined;
    },
  );
  return (outcome, stored = 0) =>
    void taken.then((count) => (count === undefined ? done("stopped") : done(outcome, stored + count)));
};

/** Counts the refused values of a message: one count for all of a device and a reason, since a message may hold thousands. */
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

const noteHeard = (device: KnownDevice, now: number): void => {
  device.heardAt = now;
  device.linkLostAt = undefined;
};

/** `earlier` is the time of the message's first arrival, if it is sent again. */
const submit = (needs: Needs, message: Message, earlier?: number): void => {
  const { clock, writer, arrivals } = needs;
  const { incoming, devices, identity } = message;
  // What waits for the commit must not keep the message itself.
  const { delivery } = incoming;
  const { bytes } = message.load;
  const { channels, times, values, isTimed, firmware, refused, ts } = decode(needs, message, earlier);
  const finish = afterFirmware(needs, firmware, incoming);
  const done = (outcome: Outcome): void => finish(outcome, channels.length);
  countRefused(refused, incoming.refuse);
  for (const device of devices) noteHeard(device, clock.now());
  // Nothing to store and nobody to mark online: the message is dealt with.
  if (channels.length === 0 && devices.every((device) => device.isOnline)) {
    done("stored");
    return;
  }
  if (!identity || isTimed || channels.length === 0) {
    writer.submit({ devices, channels, times, values, bytes, done });
    return;
  }
  const end = arrivals.wait(identity, ts);
  const ended = (outcome: Outcome): void => {
    end(outcome === "stored" && (delivery.isGone?.() ?? false));
    done(outcome);
  };
  writer.submit({ devices, channels, times, values, bytes, arrival: { ...identity, ts }, done: ended });
};

/** Resolves when the device is as the database has it, and online; "stopped" if that can't be told now. */
const markHeard = ({ clock, writer }: IntakeNeeds, device: KnownDevice): Promise<Outcome> =>
  new Promise((resolve) => {
    noteHeard(device, clock.now());
    if (device.isOnline && !device.isStale) resolve("stored");
    else writer.submit({ devices: [device], channels: [], times: [], values: [], done: resolve });
  });

const allHeard = async (needs: IntakeNeeds, devices: readonly KnownDevice[]): Promise<boolean> =>
  (await Promise.all(devices.map((device) => markHeard(needs, device)))).every((outcome) => outcome !== "stopped");

/** Submits a message whose devices are as the database has them. */
const takeNow = (needs: Needs, message: Message): void => {
  const { identity, incoming } = message;
  const before = identity && needs.arrivals.committed(identity, incoming.delivery.isRepeated ?? false);
  if (!before) {
    submit(needs, message);
    return;
  }
  // Sent again: if it was committed without the sender hearing of it, its readings keep their first arrival time and so are stored once.
  before.then(
    (earlier) => submit(needs, message, earlier),
    () => incoming.done("stopped"),
  );
};

/** Submits a message when its devices are as the database has them and there is room: at once in the usual case. */
const take = (needs: Needs, message: Message): void => {
  const { waiting } = needs;
  const { devices } = message;
  const stale = devices.filter((device) => device.isStale);
  // Whoever comes while an earlier message of the device still waits stays behind it.
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
    const hearing = allHeard(needs, stale);
    const release = writer.hold(sender, message.load);
    const [isHeard] = await Promise.all([hearing, ...ahead]);
    const hasRoom = await writer.room(sender);
    release();
    try {
      if (isHeard && hasRoom) takeNow(needs, message);
      else message.incoming.done("stopped");
    } catch (fault) {
      // Sent again it would only fail again.
      needs.log.error({ err: fault }, "A device's message could not be handled");
      message.incoming.done("refused");
    }
  };
  const taken = takeInTurn().finally(() => {
    for (const device of devices) if (waiting.get(device) === taken) waiting.delete(device);
  });
  for (const device of devices) waiting.set(device, taken);
};

/** The JSON object or array of a payload. Anything else is counted as refused and dealt with. */
const parsed = ({ payload, refuse, done }: Incoming): object | undefined => {
  const value = parseJson(payload);
  if (typeof value === "object" && value !== null) return value;
  refuse(RefusalReason.badPayload, "", payload.subarray(0, 64).toString());
  done("stored");
  return undefined;
};

/** Loads devices again between two batches, without hearing them: they may be somebody else's. */
const reloader = ({ writer, registry }: IntakeNeeds) =>
  batched(async (devices: readonly KnownDevice[]) => {
    await writer.exclusively(() => registry.reload(devices));
    return devices.map(() => undefined);
  });

/** One look-up however many there are, since a message may name thousands that do not exist. */
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

/** The one road into storage: whatever the transport, a message is decoded, its refused values counted, and the rest submitted. */
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
        needs.log.error({ err: fault }, "A master's message could not be handled");
        incoming.done("stopped");
      });
    },
  };
};
