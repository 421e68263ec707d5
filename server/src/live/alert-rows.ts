import { AlertRow, ConfirmedAlert } from "@telltale/contract/domains/alerts";
import type { DeviceStatus } from "@telltale/contract/domains/devices";
import { type LiveAlertChange, LiveCommand } from "@telltale/contract/live";
import { z } from "zod";
import type { World } from "../world.ts";

/** What lists show of devices after their alerts have changed. */
export interface ChangedDevices {
  /** Their unconfirmed alerts, and who has confirmed what stands; of each at most as many as asked for. */
  unconfirmed: readonly AlertRow[];
  confirmed: readonly ConfirmedAlert[];
  statuses: ReadonlyMap<number, DeviceStatus>;
}

/** Reads what lists show of these devices of a plant, with at most `limit` alerts. */
export type ChangedOf = (plantId: number, deviceIds: readonly number[], limit: number) => Promise<ChangedDevices>;

/** Most rows that are read for the changes of a plant at once, and that a message carries: usually 35 kB. */
const mostRows = { read: 500, sent: 40 } as const;
/** Changes are collected this long, milliseconds. */
const gather = 100;

/** Reads once for all consoles of a plant what has changed, so that none of them has to ask. */
export interface AlertRows {
  /** Alerts of the device have changed: `onRead` is called soon, with the device's status, and its unconfirmed alerts where they can be sent. */
  changed(plantId: number, deviceId: number): void;
  stop(): void;
}

interface Needs extends Pick<World, "log"> {
  changedOf: ChangedOf;
  onRead(plantId: number, messages: readonly LiveAlertChange[]): void;
}

/** The rows of a device, where all that it has were read and fit a message. */
const sendable = <Row extends { deviceId: number }>(rows: readonly Row[] | undefined) => {
  const byDevice = Map.groupBy(rows ?? [], ({ deviceId }) => deviceId);
  const isWhole = rows !== undefined && rows.length < mostRows.read;
  return (deviceId: number): readonly Row[] | undefined => {
    const own = byDevice.get(deviceId) ?? [];
    return isWhole && own.length <= mostRows.sent ? own : undefined;
  };
};

const messagesOf = (deviceIds: readonly number[], changed: ChangedDevices | undefined): LiveAlertChange[] => {
  const unconfirmedOf = sendable(changed?.unconfirmed);
  const confirmedOf = sendable(changed?.confirmed);
  return deviceIds.map((deviceId) => {
    const [unconfirmed, confirmed] = [unconfirmedOf(deviceId), confirmedOf(deviceId)];
    const status = changed?.statuses.get(deviceId);
    return {
      cmd: LiveCommand.alertChange,
      deviceId,
      ...(unconfirmed && { unconfirmed: unconfirmed.map((row) => z.encode(AlertRow, row)) }),
      ...(confirmed && { confirmed: confirmed.map((row) => z.encode(ConfirmedAlert, row)) }),
      ...(status !== undefined && { status }),
    };
  });
};

export const createAlertRows = ({ changedOf, onRead, log }: Needs): AlertRows => {
  const waiting = new Map<number, Set<number>>();
  const timers = new Map<number, NodeJS.Timeout>();
  const read = async (plantId: number): Promise<void> => {
    const deviceIds = [...(waiting.get(plantId) ?? [])];
    waiting.delete(plantId);
    const changed = await changedOf(plantId, deviceIds, mostRows.read).catch((err: unknown) => {
      log.warn({ err }, "Could not read changed alerts for open consoles; they fetch them themselves");
      return undefined;
    });
    if (!timers.delete(plantId)) return;
    onRead(plantId, messagesOf(deviceIds, changed));
    if (waiting.has(plantId)) schedule(plantId);
  };
  const schedule = (plantId: number): void => {
    timers.set(
      plantId,
      setTimeout(() => void read(plantId), gather),
    );
  };
  return {
    changed: (plantId, deviceId) => {
      const devices = waiting.get(plantId) ?? new Set();
      waiting.set(plantId, devices.add(deviceId));
      if (!timers.has(plantId)) schedule(plantId);
    },
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      waiting.clear();
    },
  };
};
