import type { z } from "zod";
import type { AlertLogChange } from "./domains/alerting/entries.ts";
import type { AlertRow, ConfirmedAlert } from "./domains/alerts.ts";
import type { DeviceStatus } from "./domains/devices.ts";

/** Messages of the live socket `/web/websocket/{userId}_{accountId}?token=`. (spec 1 §3, §4) */

export const LiveCommand = {
  /** A channel has a new newest value. */
  value: "value",
  /** Tiles or settings changed; the console reloads them. */
  dashboardChange: "dashboard-change",
  /** An alert was raised, confirmed or cleared. */
  alertChange: "alarm-change",
  /** A joint control was changed or drove its output; the console reloads them. */
  jointChange: "joint-change",
  /** Records of a kind have changed; the console reloads lists of them. */
  recordChange: "record-change",
  /** No event; keeps the connection alive. */
  heartbeat: "heartbeat",
} as const;

export interface LiveValue {
  cmd: typeof LiveCommand.value;
  deviceChannelId: number;
  value: number;
  status: number;
  /** Device time of the reading, epoch milliseconds. */
  updateTime: number;
}
export interface LiveDashboardChange {
  cmd: typeof LiveCommand.dashboardChange;
  deviceId?: number;
  deviceChannelId?: number;
}
export interface LiveAlertChange {
  cmd: typeof LiveCommand.alertChange;
  deviceId: number;
  /**
   * All unconfirmed alerts of the device, as `GET /api/dashboard/alarm` returns them, the times as text. Absent where there are too many, or they are
   * not known: fetch them.
   */
  unconfirmed?: readonly z.input<typeof AlertRow>[];
  /** Who has confirmed what still stands of it, as `GET /api/dashboard/alarm/confirmed` returns it. Absent like `unconfirmed`. */
  confirmed?: readonly z.input<typeof ConfirmedAlert>[];
  /** The device's status, as lists show it. Absent where it is not known: fetch it. */
  status?: DeviceStatus;
  /** What has changed in the lists of alerts: the log, what stands, the notifications. Absent like `unconfirmed`, without which it does not come. */
  log?: z.input<typeof AlertLogChange>;
}

export interface LiveJointChange {
  cmd: typeof LiveCommand.jointChange;
}

/**
 * Kinds of records whose changes open consoles are told of. The names are those of the audit log, but for SMS credit and firmware images, which change
 * without an entry of the plant.
 */
export const changedRecords = [
  "apiKey",
  "bridge",
  "contact",
  "firmwareImage",
  "maintenance",
  "plan",
  "provisioningKey",
  "roster",
  "silence",
  "smsCredit",
  "user",
  "watchlist",
  "webhook",
] as const;
export type ChangedRecord = (typeof changedRecords)[number];

export interface LiveRecordChange {
  cmd: typeof LiveCommand.recordChange;
  record: ChangedRecord;
}

export interface LiveHeartbeat {
  cmd: typeof LiveCommand.heartbeat;
}

/** Events of a plant. */
export type LiveMessage = LiveValue | LiveDashboardChange | LiveAlertChange | LiveJointChange | LiveRecordChange;

/** One frame of the socket: exactly one of these. */
export type LiveFrame = LiveMessage | LiveHeartbeat;

/** Most channels that a client can name. */
export const mostWatched = 2000;

/**
 * Sent by a client: the channels whose values it is sent from then on, in place of those named before, with the newest values of the ones that it had
 * not named. A client that has sent no such message, or one without ids, is sent all values of its plant.
 */
export interface LiveWatch {
  cmd: "watch";
  deviceChannelIds?: readonly number[] | undefined;
}

/** Milliseconds between two heartbeats, by which a lost connection is detected: within six seconds nothing may look alive that is not. */
export const heartbeatInterval = 2_000;

/** Path of an account's live socket. */
export const livePath = (userId: number, accountId: number): string => `/web/websocket/${userId}_${accountId}`;

/** Delay before the console reconnects, in milliseconds. (spec 1 §9) */
export const reconnectDelay = 4000;

/** WebSocket close code after which the console does not reconnect but asks the user to sign in again. */
export const closedBySignOut = 4401;
