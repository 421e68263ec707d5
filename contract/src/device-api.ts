/** What devices say: the ThingsBoard device API. Times are epoch milliseconds. (decisions §3) */

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
   * `…request/{requestId}/chunk/{chunk}` with the chunk's size in bytes as text, chunks counted from 0; answered on `…response/{requestId}/chunk/{chunk}` with
   * the bytes. A master asks for a sub-device's with `{"device": "…", "size": …}`. What can't be answered is told on `error`, as text.
   */
  firmware: { request: "v2/fw/request/", response: "v2/fw/response/", error: "v2/fw/error" },
  /** Self-registration of devices, which is answered with a refusal: device IDs and access tokens come from the operator. */
  provision: { request: "/provision/request", response: "/provision/response" },
} as const;

/** Whether an address is one of the device API over HTTP, or would be one of another version of it. */
export const isDevicePath = (path: string): boolean => /^\/api\/v\d/.test(path);

/** HTTP paths of a device: `POST /api/v1/{accessToken}/telemetry|attributes`, `GET …/attributes|firmware`. */
export const httpPath = (accessToken: string, kind: "telemetry" | "attributes" | "firmware"): string =>
  `/api/v1/${accessToken}/${kind}`;

/** User property of MQTT 5's CONNACK: an acknowledgement that counts no refused values means that every value was stored. */
export const refusalsCounted = { refusals: "counted" } as const;

export const deviceLimits = {
  /** Largest payload in bytes. */
  payload: 256 * 1024,
  /** Largest payload in bytes that may come out of a compressed one (Sparkplug B). */
  unpacked: 1024 * 1024,
  /** Most metrics in one Sparkplug B payload: what store-and-forward of widespread edge nodes flushes at once (10,000 by default). */
  metrics: 10_000,
  /** Most metrics that the births of one edge node and its devices declare together. */
  declared: 20_000,
  /** A reading may be this far ahead of the server's clock, in milliseconds. */
  ahead: 86_400_000,
  /** Largest magnitude of a value. No sensor comes near, and sums of an hour stay exact enough. */
  magnitude: 1e15,
  /** Largest chunk of a firmware image in bytes. */
  firmwareChunk: 64 * 1024,
  /** Messages a device should have unacknowledged at most: redeliveries of so many are recognised. */
  inFlight: 1000,
} as const;

/** Values by channel code: AI1…, DI1…, DO1…, VX VY VZ, TEMP, HUM, or a modbus keyword. */
export type Values = Record<string, number | boolean | string>;

/** One moment of telemetry; without `ts` it counts from its arrival. */
export type Telemetry = Values | { ts: number; values: Values };

/** Body of the telemetry topic. */
export type TelemetryPayload = Telemetry | Telemetry[];

/** Body of `v1/gateway/telemetry`: readings by the sub-device's device ID. */
export type GatewayTelemetryPayload = Record<string, Telemetry[] | Telemetry>;

/** Attributes that a device sends of itself. Temperature in degC; humidity and power (battery) in percent. */
export interface DeviceAttributes {
  firmwareVersion?: string;
  power?: number;
  wakeupMode?: string;
  temperature?: number;
  humidity?: number;
  /**
   * The version of the settings that the device works by: it repeats that of the shared attributes once it has taken them over, and after a
   * start says which it still has. Until then what was saved is shown as pending; a device that never says it leaves it so.
   */
  settingsVersion?: number;
}

/**
 * Shared attributes that go down to a device: its settings in force, whole, on each change and when it subscribes; for a sub-device, as
 * `{device, data}` on `v1/gateway/attributes`, when it connects, changes, or its master subscribes. The settings of a channel replace those it
 * had: what is missing is not set.
 */
export interface SharedAttributes extends Partial<FirmwareOffer> {
  /** Seconds between two reports. */
  reportInterval: number;
  /** Settings of each channel by its code, as `ChannelSettings`, and `channelSwitch`: 0 while the channel is off and reports nothing. */
  channels: Record<string, Record<string, number | string | undefined>>;
  /** Counts the changes; the device says it back as an attribute of its own. */
  settingsVersion: number;
}

/**
 * The image that a device is to install, among its shared attributes while it is to. Without it there is nothing to install: whoever is under way with one
 * stops and keeps what it runs.
 */
export interface FirmwareOffer {
  /** The P/N that the image is for. */
  fw_title: string;
  fw_version: string;
  /** Bytes. */
  fw_size: number;
  fw_checksum_algorithm: "SHA256";
  /** In hexadecimal. */
  fw_checksum: string;
}

/** The attributes of an offer, for those who ask for them by name. */
export const firmwareOfferKeys = [
  "fw_title",
  "fw_version",
  "fw_size",
  "fw_checksum_algorithm",
  "fw_checksum",
] as const satisfies (keyof FirmwareOffer)[];

/** How far a device is with an update, in `fw_state`. */
export const FirmwareState = {
  downloading: "DOWNLOADING",
  downloaded: "DOWNLOADED",
  verified: "VERIFIED",
  updating: "UPDATING",
  updated: "UPDATED",
  failed: "FAILED",
} as const;
export type FirmwareState = (typeof FirmwareState)[keyof typeof FirmwareState];

/** What a device says of its firmware, among its telemetry or attributes. `fw_checksum` is the SHA-256 that it has computed of what it was sent. */
export const firmwareFacts = ["current_fw_title", "current_fw_version", "fw_state", "fw_error", "fw_checksum"] as const;
export type FirmwareFacts = Partial<Record<(typeof firmwareFacts)[number], string>>;

/** Methods the server calls on a device. */
export const rpcMethods = ["setOutput", "restart", "modbusCheck", "updateFirmware"] as const;
export type RpcMethod = (typeof rpcMethods)[number];

/** Methods a device calls on the server, on `rpcRequest`; answered on `rpcResponse` with the result, or with `{error}`. */
export const serverMethods = ["getSessionLimits"] as const;

/** Answer to `getSessionLimits`, as ThingsBoard's SDKs read it: bytes, messages, and rates as `count:seconds,…`. No rate is limited. */
export interface SessionLimits {
  maxPayloadSize: number;
  maxInflightMessages: number;
  rateLimits: Record<string, never>;
  gatewayRateLimits: Record<string, never>;
}

/** `setOutput`: drives a digital output. */
export interface SetOutput {
  method: "setOutput";
  params: { channel: string; value: 0 | 1 };
}

/** `updateFirmware`: says that there is an image to install; whoever answers `{"success": false, "error": "…"}` does not want it. */
export interface UpdateFirmware {
  method: "updateFirmware";
  params: { title: string; version: string; size: number; checksum: string; checksumAlgorithm: "SHA256" };
}

/** Why a value was refused; counted by device on its diagnostics and on /metrics. */
export const RefusalReason = {
  unknownKey: "unknown_key",
  channelOff: "channel_off",
  notANumber: "not_a_number",
  tooLargeValue: "value_too_large",
  badValue: "bad_value",
  tooFarAhead: "timestamp_too_far_ahead",
  badTimestamp: "bad_timestamp",
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
} as const;
export type RefusalReason = (typeof RefusalReason)[keyof typeof RefusalReason];
