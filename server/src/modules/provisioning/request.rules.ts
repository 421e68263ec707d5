import { deviceNameField } from "@telltale/contract/domains/devices";

/** A request that can be looked at. */
export interface DeviceRequest {
  /** The device's own name: its serial number. */
  serial: string;
  provisionKey: string;
  secret: string;
  /** The token that the device wants; undefined: any. */
  token: string | undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Shorter tokens could be guessed; longer ones are refused at sign-in. */
const ownToken = /^[A-Za-z0-9._~-]{20,64}$/;

const keyOrSecret = (value: unknown): string => (typeof value === "string" && value.length <= 64 ? value : "");

/** The request in a payload, or why there is none in it. */
export const requestIn = (payload: unknown): DeviceRequest | string => {
  if (!isRecord(payload))
    return 'Send a JSON object: {"deviceName": "…", "provisionDeviceKey": "…", "provisionDeviceSecret": "…"}';
  const { deviceName, provisionDeviceKey, provisionDeviceSecret, credentialsType = null, token } = payload;
  const name = deviceNameField.safeParse(deviceName);
  if (!name.success) return "deviceName is the device's serial number: one line of 1 to 64 visible characters";
  if (!(provisionDeviceKey && provisionDeviceSecret))
    return "provisionDeviceKey and provisionDeviceSecret are missing: send those of a provisioning key of your plant";
  if (credentialsType !== null && credentialsType !== "ACCESS_TOKEN")
    return "Devices sign in with an access token: leave credentialsType out, or send ACCESS_TOKEN";
  if (token !== undefined && token !== null && !(typeof token === "string" && ownToken.test(token)))
    return "A token of the device's own has 20 to 64 letters, digits and . _ ~ -";
  return {
    serial: name.data,
    provisionKey: keyOrSecret(provisionDeviceKey),
    secret: keyOrSecret(provisionDeviceSecret),
    token: typeof token === "string" ? token : undefined,
  };
};

/** What decides whether a key may be used. */
export interface KeyLimits {
  revokedTime: Date | null;
  expireTime: Date;
  deviceCount: number;
  deviceLimit: number;
}

/** Why a key can't be used any more, whatever the device; undefined when it can. */
export const keyRefusal = ({ revokedTime, expireTime }: KeyLimits, now: Date): string | undefined => {
  if (revokedTime !== null) return "This provisioning key has been revoked";
  return expireTime <= now ? "This provisioning key has expired" : undefined;
};

/** Why a key can add no further device; undefined when it can. */
export const fullRefusal = ({ deviceCount, deviceLimit }: KeyLimits): string | undefined =>
  deviceCount >= deviceLimit ? `This provisioning key has added all of its devices (${deviceLimit})` : undefined;
