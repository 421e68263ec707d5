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
  /** Only signals that alerts changed; the console fetches the unconfirmed alerts itself. */
  deviceId: number;
}

export interface LiveJointChange {
  cmd: typeof LiveCommand.jointChange;
}

export interface LiveHeartbeat {
  cmd: typeof LiveCommand.heartbeat;
}

/** Events of a plant. */
export type LiveMessage = LiveValue | LiveDashboardChange | LiveAlertChange | LiveJointChange;

/** One frame of the socket: exactly one of these. */
export type LiveFrame = LiveMessage | LiveHeartbeat;

/** Milliseconds between two heartbeats, by which a dead connection is detected. */
export const heartbeatInterval = 15_000;

/** Path of an account's live socket. */
export const livePath = (userId: number, accountId: number): string => `/web/websocket/${userId}_${accountId}`;

/** Delay before the console reconnects, in milliseconds. (spec 1 §9) */
export const reconnectDelay = 4000;

/** WebSocket close code after which the console does not reconnect but asks the user to sign in again. */
export const closedBySignOut = 4401;
