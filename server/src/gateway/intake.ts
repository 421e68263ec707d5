import { crc32 } from "node:zlib";
import { deviceLimits, RefusalReason } from "@telltale/contract/device-api";
import type { KnownDevice } from "../telemetry/known-device.ts";
import type { Refusals } from "../telemetry/refusals.ts";
import type { Registry } from "../telemetry/registry.ts";
import type { Outcome, Submission } from "../telemetry/submission.ts";
import type { Writer } from "../telemetry/writer.ts";
import type { World } from "../world.ts";
import { type DecodedTelemetry, decodeTelemetry, emptyTelemetry, parseJson } from "./telemetry-payload.ts";

/** What a transport says about a message, beyond its content. */
export interface Delivery {
  /** MQTT packet identifier of a QoS 1 or 2 message. */
  packetId?: number;
  /** The sender says that it sends the message again. */
  isRepeated?: boolean;
}

type Done = (outcome: Outcome) => void;

export interface Intake {
  /** Telemetry of the device itself. `done` comes after the commit. */
  telemetry(device: KnownDevice, payload: Buffer, delivery: Delivery, done: Done): void;
  /** Telemetry of its sub-devices, by their device IDs. */
  gatewayTelemetry(device: KnownDevice, payload: Buffer, delivery: Delivery, done: Done): void;
  /** Readings that a protocol has decoded by itself; `fill` decodes into columns. */
  readings(devices: readonly KnownDevice[], fill: (into: DecodedTelemetry, now: number) => void, done: Done): void;
  /** The device was heard without telling a reading. Loads it again if it changed. */
  heard(device: KnownDevice): Promise<void>;
  /** A sub-device of a master, by its device ID. */
  subDevice(master: KnownDevice, deviceSnId: string): Promise<KnownDevice | undefined>;
}

interface Needs extends Pick<World, "pool" | "clock"> {
  registry: Registry;
  writer: Writer;
  refusals: Refusals;
}

/** Places for arrival times of one device; more messages than these are never in flight at once. */
const arrivalSlots = 1024;

const earlierArrival = "SELECT ts FROM arrivals WHERE device_id = $1 AND packet_id = $2 AND digest = $3";

/** The one road into storage: whatever the transport, a message is decoded, its refused values counted, and the rest submitted. */
export const createIntake = ({ pool, clock, registry, writer, refusals }: Needs): Intake => {
  const refuse = (device: KnownDevice, reason: RefusalReason, key = "", value = ""): void =>
    refusals.count(device.deviceId, reason, key, value);

  const submit = (
    decoded: DecodedTelemetry,
    devices: readonly KnownDevice[],
    now: number,
    arrival: Submission["arrival"],
    done: Done,
  ): void => {
    for (const { device, reason, key, value } of decoded.refused) refuse(device, reason, key, value);
    for (const device of devices) device.heardAt = now;
    // Nothing to store and nobody to mark online: the message is dealt with.
    if (decoded.channels.length === 0 && devices.every((device) => device.isOnline)) return done("stored");
    writer.submit({
      devices,
      channels: decoded.channels,
      times: decoded.times,
      values: decoded.values,
      receivedAt: now,
      ...(arrival ? { arrival } : {}),
      done,
    });
  };

  const heard = (device: KnownDevice): Promise<void> =>
    new Promise((resolve) => {
      device.heardAt = clock.now();
      if (device.isOnline && !device.isStale) resolve();
      else
        writer.submit({
          devices: [device],
          channels: [],
          times: [],
          values: [],
          receivedAt: device.heardAt,
          done: () => resolve(),
        });
    });

  /** Calls back when all devices are as the database has them; at once in the usual case that none has changed. */
  const whenFresh = (devices: readonly KnownDevice[], go: () => void): void => {
    const stale = devices.filter((device) => device.isStale);
    if (stale.length === 0) go();
    else void Promise.all(stale.map(heard)).then(go);
  };

  const decodeAt = (
    devices: readonly KnownDevice[],
    fill: (into: DecodedTelemetry, now: number) => void,
    identity: { deviceId: number; slot: number; digest: number } | undefined,
    now: number,
    done: Done,
  ): void => {
    const decoded = emptyTelemetry();
    fill(decoded, now);
    const needsArrival = identity !== undefined && !decoded.isTimed && decoded.channels.length > 0;
    submit(decoded, devices, now, needsArrival ? { ...identity, ts: now } : undefined, done);
  };

  const take = (
    device: KnownDevice,
    payload: Buffer,
    delivery: Delivery,
    devices: readonly KnownDevice[],
    fill: (into: DecodedTelemetry, now: number) => void,
    done: Done,
  ): void => {
    const { packetId, isRepeated } = delivery;
    const identity =
      packetId === undefined
        ? undefined
        : { deviceId: device.deviceId, slot: packetId % arrivalSlots, digest: crc32(payload, packetId) };
    whenFresh(devices, () => {
      if (!(isRepeated && identity)) return decodeAt(devices, fill, identity, clock.now(), done);
      // Sent again: if it was committed without the sender hearing of it, its readings keep their first arrival time and so are stored once.
      pool.query<{ ts: number }>(earlierArrival, [identity.deviceId, identity.slot, identity.digest]).then(
        ({ rows }) => decodeAt(devices, fill, identity, rows[0]?.ts ?? clock.now(), done),
        () => done("stopped"),
      );
    });
  };

  const parsed = (device: KnownDevice, payload: Buffer, done: Done): unknown => {
    const isTooLarge = payload.length > deviceLimits.payload;
    const value = isTooLarge ? undefined : parseJson(payload);
    if (typeof value === "object" && value !== null) return value;
    refuse(
      device,
      isTooLarge ? RefusalReason.tooLarge : RefusalReason.badPayload,
      "",
      payload.subarray(0, 64).toString(),
    );
    done("stored");
    return undefined;
  };

  const subDevice = async (master: KnownDevice, deviceSnId: string): Promise<KnownDevice | undefined> => {
    const device = registry.inMemory({ deviceSnId }) ?? (await registry.find({ deviceSnId }));
    if (device?.isStale) await heard(device);
    return device && device.parentDeviceId === master.deviceId ? device : undefined;
  };

  return {
    heard,
    subDevice,
    telemetry: (device, payload, delivery, done) => {
      const value = parsed(device, payload, done);
      if (value !== undefined)
        take(device, payload, delivery, [device], (into, now) => decodeTelemetry(into, device, value, now), done);
    },
    gatewayTelemetry: (device, payload, delivery, done) => {
      const value = parsed(device, payload, done);
      if (value === undefined) return;
      const entries = Object.entries(value as Record<string, unknown>);
      void Promise.all(entries.map(([deviceSnId]) => subDevice(device, deviceSnId).catch(() => "lost" as const))).then(
        (found) => {
          if (found.includes("lost")) return done("stopped");
          const subDevices = found as (KnownDevice | undefined)[];
          const known = subDevices.filter((sub) => sub !== undefined);
          const fill = (into: DecodedTelemetry, now: number) =>
            entries.forEach(([deviceSnId, telemetry], at) => {
              const sub = subDevices[at];
              if (sub) decodeTelemetry(into, sub, telemetry, now);
              else
                into.refused.push({
                  device,
                  reason: RefusalReason.unknownDevice,
                  key: deviceSnId.slice(0, 64),
                  value: "",
                });
            });
          take(device, payload, delivery, [device, ...known], fill, done);
        },
      );
    },
    readings: (devices, fill, done) => whenFresh(devices, () => decodeAt(devices, fill, undefined, clock.now(), done)),
  };
};
