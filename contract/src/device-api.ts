/** MQTT topics of the ThingsBoard device API. Times are epoch milliseconds. (decisions §3) */

export const topics = {
  telemetry: "v1/devices/me/telemetry",
  attributes: "v1/devices/me/attributes",
  attributesRequest: "v1/devices/me/attributes/request/",
  attributesResponse: "v1/devices/me/attributes/response/",
  rpcRequest: "v1/devices/me/rpc/request/",
  rpcResponse: "v1/devices/me/rpc/response/",
  gateway: {
    connect: "v1/gateway/connect",
    disconnect: "v1/gateway/disconnect",
    telemetry: "v1/gateway/telemetry",
    attributes: "v1/gateway/attributes",
    attributesRequest: "v1/gateway/attributes/request",
    attributesResponse: "v1/gateway/attributes/response",
    rpc: "v1/gateway/rpc",
  },
  /**
   * `…request/{requestId}/chunk/{chunk}` with the chunk size in bytes as text, chunks counted from 0; answered on
   * `…response/{requestId}/chunk/{chunk}` with the bytes. A master requests a sub-device's image with `{"device": "…", "size": …}`. Failures are
   * reported on `error`, as text.
   */
  firmware: { request: "v2/fw/request/", response: "v2/fw/response/", error: "v2/fw/error" },
  /** A device without a token registers itself with a key of the plant: see `ProvisionRequest`. */
  provision: { request: "/provision/request", response: "/provision/response" },
} as const;

/** Whether a path belongs to the HTTP device API, in this or any other version. */
export const isDevicePath = (path: string): boolean => /^\/api\/v\d/.test(path);

/** HTTP path of a device that registers itself. */
export const provisionPath = "/api/v1/provision";

/** What a device without a token sends to register itself: by MQTT with the user name `provision`, or by HTTP. */
export interface ProvisionRequest {
  /** Its serial number: the same for each request of the device. */
  deviceName: string;
  provisionDeviceKey: string;
  provisionDeviceSecret: string;
  credentialsType?: "ACCESS_TOKEN";
  /** The access token that it wants; without it the server makes one. */
  token?: string;
}

/** `NOT_FOUND`: there is no such key, or its secret is another. */
export type ProvisionAnswer =
  | { status: "SUCCESS"; credentialsType: "ACCESS_TOKEN"; credentialsValue: string }
  | { status: "FAILURE" | "NOT_FOUND"; errorMsg: string };

/** HTTP paths of a device: `POST /api/v1/{accessToken}/telemetry|attributes`, `GET …/attributes|firmware`. */
export const httpPath = (accessToken: string, kind: "telemetry" | "attributes" | "firmware"): string =>
  `/api/v1/${accessToken}/${kind}`;

/** User property of MQTT 5's CONNACK: a PUBACK without a count of refused values means that every value was stored. */
export const refusalsCounted = { refusals: "counted" } as const;

export const deviceLimits = {
  /** Maximum payload in bytes. */
  payload: 256 * 1024,
  /** Maximum decompressed payload in bytes (Sparkplug B). */
  unpacked: 1024 * 1024,
  /** Most metrics in one Sparkplug B payload: what the store-and-forward of common edge nodes flushes at once (10,000 by default). */
  metrics: 10_000,
  /** Most metrics that the birth certificates of one edge node and its devices declare together. */
  declared: 20_000,
  /** Most characters that the names in these birth certificates have together. */
  declaredText: 2_000_000,
  /** How far a reading may be ahead of the server's clock, in milliseconds. */
  ahead: 86_400_000,
  /** Times before this moment come from a clock that is not set: 2000-01-01. */
  earliest: 946_684_800_000,
  /** For how long after the end of its service readings of a device are stored, in milliseconds. */
  graceAfterService: 30 * 86_400_000,
  /** Largest magnitude of a value. No sensor comes near it, and hourly sums stay accurate enough. */
  magnitude: 1e15,
  /** Maximum size of a firmware chunk in bytes. */
  firmwareChunk: 64 * 1024,
  /** Most unacknowledged messages a device should have in flight: the server recognises redeliveries of that many. */
  inFlight: 1000,
} as const;

/** Values by channel code: AI1…, DI1…, DO1…, VX VY VZ, TEMP, HUM, or a modbus keyword. */
export type Values = Record<string, number | boolean | string>;

/** One telemetry sample; without `ts` the arrival time is used. */
export type Telemetry = Values | { ts: number; values: Values };

/** Body of the telemetry topic. */
export type TelemetryPayload = Telemetry | Telemetry[];

/** Body of `v1/gateway/telemetry`: readings by sub-device ID. */
export type GatewayTelemetryPayload = Record<string, Telemetry[] | Telemetry>;

/** Attributes that a device reports about itself. Temperature in degC; humidity and power (battery) in percent. */
export interface DeviceAttributes {
  firmwareVersion?: string;
  power?: number;
  wakeupMode?: string;
  temperature?: number;
  humidity?: number;
  /**
   * The settings version that the device has applied: it repeats the version of the shared attributes once they are applied, and reports after a
   * start which version it still holds. Until then saved settings are shown as pending; a device that never reports a version leaves them pending.
   */
  settingsVersion?: number;
}

/**
 * Shared attributes sent to a device: its complete current settings, on each change and when it subscribes; for a sub-device, as
 * `{device, data}` on `v1/gateway/attributes`, when it connects, when they change, or when its master subscribes. A channel's settings replace
 * the previous ones: a missing setting is not set.
 */
export interface SharedAttributes extends Partial<FirmwareOffer> {
  /** Seconds between two reports. */
  reportInterval: number;
  /** Settings of each channel by its code, as `ChannelSettings`, and `channelSwitch`: 0 while the channel is off and reports nothing. */
  channels: Record<string, Record<string, number | string | undefined>>;
  /** Incremented by every change; the device reports it back as a client attribute. */
  settingsVersion: number;
}

/**
 * The image that a device is to install, part of its shared attributes while an update is open. When it disappears there is nothing to install: a
 * device that is updating stops and keeps its current firmware.
 */
export interface FirmwareOffer {
  /** P/N that the image is for. */
  fw_title: string;
  fw_version: string;
  /** Size in bytes. */
  fw_size: number;
  fw_checksum_algorithm: "SHA256";
  /** Hexadecimal. */
  fw_checksum: string;
}

/** Names of the offer's attributes, for devices that request attributes by name. */
export const firmwareOfferKeys = [
  "fw_title",
  "fw_version",
  "fw_size",
  "fw_checksum_algorithm",
  "fw_checksum",
] as const satisfies (keyof FirmwareOffer)[];

/** Progress of an update as the device reports it in `fw_state`. */
export const FirmwareState = {
  downloading: "DOWNLOADING",
  downloaded: "DOWNLOADED",
  verified: "VERIFIED",
  updating: "UPDATING",
  updated: "UPDATED",
  failed: "FAILED",
} as const;
export type FirmwareState = (typeof FirmwareState)[keyof typeof FirmwareState];

/** Firmware attributes that a device reports, as telemetry or attributes. `fw_checksum` is the SHA-256 that it computed of the received image. */
export const firmwareFacts = ["current_fw_title", "current_fw_version", "fw_state", "fw_error", "fw_checksum"] as const;
export type FirmwareFacts = Partial<Record<(typeof firmwareFacts)[number], string>>;

/** RPC methods that the server calls on a device. */
export const rpcMethods = ["setOutput", "restart", "modbusCheck", "updateFirmware"] as const;
export type RpcMethod = (typeof rpcMethods)[number];

/** RPC methods that a device calls on the server via `rpcRequest`; answered on `rpcResponse` with the result, or with `{error}`. */
export const serverMethods = ["getSessionLimits"] as const;

/** Answer to `getSessionLimits` as ThingsBoard's SDKs expect it: bytes, messages, and rates as `count:seconds,…`. No rate is limited. */
export interface SessionLimits {
  maxPayloadSize: number;
  maxInflightMessages: number;
  rateLimits: Record<string, never>;
  gatewayRateLimits: Record<string, never>;
}

/** `setOutput`: sets a digital output. */
export interface SetOutput {
  method: "setOutput";
  params: { channel: string; value: 0 | 1 };
}

/** `updateFirmware`: announces an image to install; a device answers `{"success": false, "error": "…"}` to decline it. */
export interface UpdateFirmware {
  method: "updateFirmware";
  params: { title: string; version: string; size: number; checksum: string; checksumAlgorithm: "SHA256" };
}

/** Why a value was refused; counted per device in its diagnostics, and on /metrics. */
export const RefusalReason = {
  unknownKey: "unknown_key",
  channelOff: "channel_off",
  notANumber: "not_a_number",
  tooLargeValue: "value_too_large",
  badValue: "bad_value",
  tooFarAhead: "timestamp_too_far_ahead",
  badTimestamp: "bad_timestamp",
  noLongerKept: "older_than_kept",
  badPayload: "bad_payload",
  tooLarge: "payload_too_large",
  tooManyMetrics: "too_many_metrics",
  notClaimed: "device_not_claimed",
  disabled: "device_disabled",
  serviceExpired: "service_expired",
  unknownDevice: "unknown_sub_device",
  notOffered: "firmware_not_offered",
  badChunk: "bad_firmware_chunk",
  unknownTopic: "unknown_topic",
  notSupported: "not_supported",
  tooManyRequests: "too_many_requests",
  notProvisioned: "provisioning_refused",
} as const;
export type RefusalReason = (typeof RefusalReason)[keyof typeof RefusalReason];
