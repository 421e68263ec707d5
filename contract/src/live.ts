/** Messages of the live socket `/web/websocket/{userId}_{accountId}?token=`. (spec 1 §3, §4) */

export const LiveCommand = {
  /** A channel has a new newest value. */
  value: "value",
  /** Tiles or settings changed: load them again. */
  dashboardChange: "dashboard-change",
  /** An alert was raised, confirmed or cleared. */
  alertChange: "alarm-change",
  /** A joint control was changed, or drove its output: load them again. */
  jointChange: "joint-change",
  /** Nothing happened: the connection lives. */
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
  /** Unconfirmed alerts after the change are fetched by the console; this only says that they changed. */
  deviceId: number;
}

export interface LiveJointChange {
  cmd: typeof LiveCommand.jointChange;
}

export interface LiveHeartbeat {
  cmd: typeof LiveCommand.heartbeat;
}

/** What happens in a plant. */
export type LiveMessage = LiveValue | LiveDashboardChange | LiveAlertChange | LiveJointChange;

/** What a frame of the socket holds: exactly one of these. */
export type LiveFrame = LiveMessage | LiveHeartbeat;

/** Milliseconds between two heartbeats, so that a silent connection is known for dead. */
export const heartbeatInterval = 15_000;

/** Path of an account's socket. */
export const livePath = (userId: number, accountId: number): string => `/web/websocket/${userId}_${accountId}`;

/** Wait before the console connects again, in milliseconds. (spec 1 §9) */
export const reconnectDelay = 4000;

/** WebSocket close code after which the console does not reconnect but signs in again. */
export const closedBySignOut = 4401;
