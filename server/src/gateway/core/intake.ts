import { RefusalReason } from "@telltale/contract/device-api";
import { batchedBy } from "../../platform/database/batched.ts";
import { serverOf } from "../../readings/index.ts";
import type { KnownDevice, Outcome, Registry } from "../../telemetry/index.ts";
import {
  type Fill,
  type Message,
  markAsHeard,
  refuseFaulty,
  type SubmissionNeeds,
  submitMessage,
} from "./message-submission.ts";
import type { Incoming } from "./receipt.ts";
import { decodeTelemetry, parseJson } from "./telemetry-payload.ts";

export interface Intake {
  /** Telemetry of the device itself. `done` is called after the commit. */
  telemetry(message: Incoming): void;
  /** Telemetry of the device's sub-devices, keyed by device ID. */
  gatewayTelemetry(message: Incoming): void;
  /** `count` readings that the protocol decoded itself, and the devices that are marked as heard. */
  readings(message: Incoming, devices: readonly KnownDevice[], fill: Fill, count: number): void;
  /** Marks the device as heard without a reading. Reloads it if it is stale. */
  heard(device: KnownDevice): Promise<void>;
  /** Marks the device as heard by a connection that it has just made. */
  connected(device: KnownDevice): Promise<void>;
  /** Marks that the last connection of the device has ended. */
  disconnected(device: KnownDevice): void;
  /** The sub-devices of a master by device ID; devices of another master are left out. */
  subDevices(master: KnownDevice, deviceSnIds: readonly string[]): Promise<ReadonlyMap<string, KnownDevice>>;
}

export interface IntakeNeeds extends Omit<SubmissionNeeds, "lookedUp"> {
  registry: Registry;
}

interface Needs extends IntakeNeeds, SubmissionNeeds {
  reload: (device: KnownDevice) => Promise<undefined>;
  /** By device: its last queued message. */
  waiting: Map<KnownDevice, Promise<void>>;
}

/** Resolves once the device is reloaded if stale, and online; "stopped" when the database is not available. */
const markHeard = ({ clock, writer }: IntakeNeeds, device: KnownDevice): Promise<Outcome> =>
  new Promise((resolve) => {
    markAsHeard(device, clock.now());
    if (device.isOnline && !device.isStale) resolve("stored");
    else writer.submit({ devices: [device], channels: [], times: [], values: [], done: resolve });
  });

const allHeard = async (needs: IntakeNeeds, devices: readonly KnownDevice[]): Promise<boolean> =>
  (await Promise.all(devices.map((device) => markHeard(needs, device)))).every((outcome) => outcome !== "stopped");

/** Submits a message once its devices are up to date and the queue has room; usually at once. */
const take = (needs: Needs, message: Message): void => {
  const { waiting, writer } = needs;
  const { devices } = message;
  const { device: sender } = message.incoming;
  if (writer.isFull(sender)) {
    message.incoming.done("stopped");
    return;
  }
  if (writer.hasRoom(sender) && !devices.some((device) => device.isStale || waiting.has(device)))
    submitMessage(needs, message);
  else takeInTurn(needs, message);
};

/** Submits a message whose devices are loaded first, or that waits behind an earlier one of them: this keeps the order of a device. */
const takeInTurn = (needs: Needs, message: Message): void => {
  const { waiting, writer } = needs;
  const { devices } = message;
  const { device: sender } = message.incoming;
  const stale = devices.filter((device) => device.isStale);
  const ahead = devices.flatMap((device) => waiting.get(device) ?? []);
  const inTurn = async (): Promise<void> => {
    const listener = allHeard(needs, stale);
    const release = writer.hold(sender, message.load);
    const [isHeard] = await Promise.all([listener, ...ahead]);
    const hasRoom = await writer.waitForRoom(sender);
    release();
    try {
      if (isHeard && hasRoom) submitMessage(needs, message);
      else message.incoming.done("stopped");
    } catch (fault) {
      refuseFaulty(needs, message)(fault);
    }
  };
  const taken = inTurn().finally(() => {
    for (const device of devices) if (waiting.get(device) === taken) waiting.delete(device);
  });
  for (const device of devices) waiting.set(device, taken);
};

/** The JSON object or array of a payload. Any other payload is counted as refused, acknowledged and undefined is returned. */
const parsed = (incoming: Incoming): object | undefined => {
  const { payload } = incoming;
  const value = parseJson(payload);
  if (typeof value === "object" && value !== null) return value;
  incoming.refuse(RefusalReason.badPayload, "", payload.subarray(0, 64).toString());
  incoming.done("stored");
  return undefined;
};

/** Reloads stale devices between two batches without marking them as heard: they may belong to another master. */
const reloader = ({ writer, registry }: IntakeNeeds) =>
  batchedBy(
    // In a database in parts those that are written by another lane, or kept by another server, may have to wait for longer.
    (device: KnownDevice) => `${writer.placeOf(device)} ${serverOf(device.deviceId)}`,
    async (devices) => {
      await registry.reach(devices);
      await writer.exclusively(() => registry.reload(devices), { devices });
      return devices.map(() => undefined);
    },
  );

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
  const identify = needs.arrivals.identifier(master, payload, delivery);
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
  take(needs, { incoming, devices: [master, ...known.values()], arrivedTs, fill, load, identify });
};

/** Creates the intake, which every transport uses: decodes a message, counts refused values, submits the rest to the writer. */
export const createIntake = (given: IntakeNeeds): Intake => {
  const needs: Needs = { ...given, reload: reloader(given), waiting: new Map(), lookedUp: new Map() };
  const { clock } = given;
  return {
    heard: async (device) => void (await markHeard(needs, device)),
    connected: async (device) => {
      device.connectedAt = clock.now();
      device.hasDisconnected = false;
      await markHeard(needs, device);
    },
    disconnected: (device) => {
      device.hasDisconnected = true;
    },
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
      const identify = needs.arrivals.identifier(device, payload, delivery);
      const load = { readings: 0, bytes: payload.length };
      take(needs, { incoming, devices: [device], arrivedTs: clock.now(), fill, load, identify });
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
