import { createHash } from "node:crypto";
import { AlertLogChange, type StandingRow } from "@telltale/contract/domains/alerting/entries";
import type { ConfirmedAlert } from "@telltale/contract/domains/alerts";
import type { DeviceStatus } from "@telltale/contract/domains/devices";
import type { LiveAlertChange } from "@telltale/contract/live";
import { z } from "zod";

/** Most alerts, and most devices, of a plant that are remembered: those sent last. */
const mostRemembered = 5_000;
/** Most alerts that the messages of one moment carry, and most places of one message: with more, asking for a page is less for a console. */
const mostSent = { rows: 100, places: 100 } as const;

type Place = Pick<StandingRow, "firstOf" | "follows">;

/** What lists show of devices after their alerts have changed. */
export interface ChangedDevices {
  /** Their alerts that stand, those asked for, and those raised of late. */
  rows: readonly StandingRow[];
  /** Those of them that wait for a person, and who has confirmed what stands. */
  unconfirmed: readonly StandingRow[];
  confirmed: readonly ConfirmedAlert[];
  /** By device: the places of other alerts of its family, which these may have changed, and the devices whose alerts the places depend on. */
  relatives: ReadonlyMap<number, { places: readonly (Place & { alarmLogId: number })[]; deviceIds: readonly number[] }>;
  /** Whether no alert was left out. */
  isWhole: boolean;
  statuses: ReadonlyMap<number, DeviceStatus>;
}

/**
 * What the sockets of a plant were told of alerts, so that a message carries only what has changed since the one before. All of them were told: who has
 * joined later has fetched it.
 */
export interface SentAlerts {
  /** The alerts of these devices that stood when they were told of last. */
  stood(deviceIds: readonly number[]): number[];
  /** What has changed of these devices since they were told of last, by device; without those of which it cannot be told. */
  changes(deviceIds: readonly number[], changed: ChangedDevices): ReadonlyMap<number, LiveAlertChange["log"]>;
}

/** Remembers the newest entries. */
const createMemory = <Key, Value>() => {
  const entries = new Map<Key, Value>();
  return {
    get: (key: Key) => entries.get(key),
    set: (key: Key, value: Value) => {
      entries.delete(key);
      entries.set(key, value);
      for (const [oldest] of entries) {
        if (entries.size <= mostRemembered) break;
        entries.delete(oldest);
      }
    },
  };
};

const hashOf = (value: unknown): string => createHash("sha1").update(JSON.stringify(value)).digest("base64");

/** An alert without its place, which changes with others, and without its channel's newest value, which consoles get anyway. */
const lasting = ({ now, firstOf, follows, ...alert }: StandingRow) => alert;
const placed = ({ alarmLogId, firstOf, follows }: Place & { alarmLogId: number }) => ({ alarmLogId, firstOf, follows });

export const createSentAlerts = (): SentAlerts => {
  const [rows, places] = [createMemory<number, string>(), createMemory<number, string>()];
  const standing = createMemory<number, readonly number[]>();
  /** Whether it differs from what was sent of the alert. */
  const isNews = (sent: typeof rows, alarmLogId: number, value: unknown): boolean => {
    const [before, hash] = [sent.get(alarmLogId), hashOf(value)];
    sent.set(alarmLogId, hash);
    return before !== hash;
  };

  const changeOf = (deviceId: number, { rows: all, unconfirmed, relatives }: ChangedDevices): AlertLogChange => {
    const own = all.filter((row) => row.deviceId === deviceId);
    const ids = own.flatMap(({ alarmLogId, modifiedTime }) => (modifiedTime === null ? alarmLogId : []));
    standing.set(deviceId, ids);
    const family = relatives.get(deviceId);
    const moved = [...own, ...(family?.places ?? [])]
      .map(placed)
      .filter((place) => isNews(places, place.alarmLogId, place));
    const waits = new Set(unconfirmed);
    const news = own.filter((row) => isNews(rows, row.alarmLogId, lasting(row)));
    const told = new Set(news.map(({ alarmLogId }) => alarmLogId));
    return {
      changed: news.filter((row) => !waits.has(row)),
      waiting: news.filter((row) => waits.has(row)),
      standing: ids,
      places: moved.filter(({ alarmLogId }) => !told.has(alarmLogId)),
      family: (family?.deviceIds ?? []).filter((id) => id !== deviceId),
    };
  };

  return {
    stood: (deviceIds) => deviceIds.flatMap((deviceId) => standing.get(deviceId) ?? []),
    changes: (deviceIds, changed) => {
      const found = deviceIds.map((deviceId) => [deviceId, changeOf(deviceId, changed)] as const);
      let sent = 0;
      return new Map(
        found.flatMap(([deviceId, change]) => {
          sent += change.changed.length + change.waiting.length;
          const isTooMuch = sent > mostSent.rows || change.places.length > mostSent.places;
          return isTooMuch ? [] : [[deviceId, z.encode(AlertLogChange, change)]];
        }),
      );
    },
  };
};
