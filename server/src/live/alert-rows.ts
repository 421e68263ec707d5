import { AlertRow, ConfirmedAlert } from "@telltale/contract/domains/alerts";
import { type LiveAlertChange, LiveCommand } from "@telltale/contract/live";
import { z } from "zod";
import type { World } from "../world.ts";
import { type ChangedDevices, createSentAlerts, type SentAlerts } from "./sent-alerts.ts";

/** Reads what lists show of these devices of a plant, with at most `limit` alerts: those that stand, these, and those raised of late. */
export type ChangedOf = (
  plantId: number,
  asked: { deviceIds: readonly number[]; alertIds: readonly number[]; limit: number },
) => Promise<ChangedDevices>;

/** Most rows that are read for the changes of a plant at once, and that a message carries: usually 35 kB. */
const mostRows = { read: 1000, sent: 40 } as const;
/** Changes are collected this long, milliseconds. */
const gather = 100;

/** Reads once for all consoles of a plant what has changed, so that none of them has to ask. */
export interface AlertRows {
  /**
   * Alerts of the device have changed: `onRead` is called soon, with the device's status, its unconfirmed alerts, and what has changed, where they can be
   * sent. `isOfDevice`: more may have changed of all its alerts, such as its name, than of those that are read.
   */
  changed(plantId: number, deviceId: number, isOfDevice: boolean): void;
  /** Changes of the plant, or of all, were not told: what was told before is not what consoles know. */
  forget(plantId?: number): void;
  stop(): void;
}

interface Needs extends Pick<World, "log"> {
  changedOf: ChangedOf;
  onRead(plantId: number, messages: readonly LiveAlertChange[]): void;
}

/** The rows of a device, where all that it has were read and fit a message. */
const sendable = <Row extends { deviceId: number }>(rows: readonly Row[] | undefined) => {
  const byDevice = Map.groupBy(rows ?? [], ({ deviceId }) => deviceId);
  return (deviceId: number): readonly Row[] | undefined => {
    const own = byDevice.get(deviceId) ?? [];
    return rows && own.length <= mostRows.sent ? own : undefined;
  };
};

/** Devices that have changed, each with whether more of it may have than its alerts. */
type Waiting = ReadonlyMap<number, boolean>;

interface Told {
  devices: Waiting;
  changed: ChangedDevices | undefined;
  sent: SentAlerts;
}

const messagesOf = ({ devices, changed, sent }: Told): LiveAlertChange[] => {
  const deviceIds = [...devices.keys()];
  const whole = changed?.isWhole ? changed : undefined;
  const unconfirmedOf = sendable(whole?.unconfirmed);
  const confirmedOf = sendable(whole?.confirmed);
  const changes = whole && sent.changes(deviceIds, whole);
  return deviceIds.map((deviceId) => {
    const [unconfirmed, confirmed] = [unconfirmedOf(deviceId), confirmedOf(deviceId)];
    const status = changed?.statuses.get(deviceId);
    const log = unconfirmed && !devices.get(deviceId) && changes?.get(deviceId);
    return {
      cmd: LiveCommand.alertChange,
      deviceId,
      ...(unconfirmed && { unconfirmed: unconfirmed.map((row) => z.encode(AlertRow, row)) }),
      ...(confirmed && { confirmed: confirmed.map((row) => z.encode(ConfirmedAlert, row)) }),
      ...(status !== undefined && { status }),
      ...(log && { log }),
    };
  });
};

export const createAlertRows = ({ changedOf, onRead, log }: Needs): AlertRows => {
  const waiting = new Map<number, Map<number, boolean>>();
  const timers = new Map<number, NodeJS.Timeout>();
  const sentTo = new Map<number, SentAlerts>();
  const sentOf = (plantId: number): SentAlerts => {
    const sent = sentTo.get(plantId) ?? createSentAlerts();
    sentTo.set(plantId, sent);
    return sent;
  };
  const read = async (plantId: number): Promise<void> => {
    const devices: Waiting = waiting.get(plantId) ?? new Map();
    waiting.delete(plantId);
    const deviceIds = [...devices.keys()];
    const asked = { deviceIds, alertIds: sentOf(plantId).stood(deviceIds), limit: mostRows.read };
    const changed = await changedOf(plantId, asked).catch((err: unknown) => {
      log.warn({ err }, "Could not read changed alerts for open consoles; they fetch them themselves");
      return undefined;
    });
    if (!timers.delete(plantId)) return;
    onRead(plantId, messagesOf({ devices, changed, sent: sentOf(plantId) }));
    if (!changed?.isWhole) sentTo.delete(plantId);
    if (waiting.has(plantId)) schedule(plantId);
  };
  const schedule = (plantId: number): void => {
    timers.set(
      plantId,
      setTimeout(() => void read(plantId), gather),
    );
  };
  return {
    changed: (plantId, deviceId, isOfDevice) => {
      const devices = waiting.get(plantId) ?? new Map<number, boolean>();
      waiting.set(plantId, devices.set(deviceId, isOfDevice || (devices.get(deviceId) ?? false)));
      if (!timers.has(plantId)) schedule(plantId);
    },
    forget: (plantId) => {
      if (plantId === undefined) sentTo.clear();
      else sentTo.delete(plantId);
    },
    stop: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      waiting.clear();
    },
  };
};
