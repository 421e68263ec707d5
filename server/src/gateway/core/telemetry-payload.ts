import { deviceLimits, type FirmwareFacts, firmwareFacts, RefusalReason } from "@telltale/contract/device-api";
import type { KnownChannel, KnownDevice } from "../../telemetry/index.ts";

/** One refused value, for the device's diagnostics. */
export interface Refused {
  device: KnownDevice;
  reason: RefusalReason;
  key: string;
  value: string;
}

/** A firmware report that arrived among the readings, as ThingsBoard's devices send it. */
export interface FirmwareReport {
  device: KnownDevice;
  facts: FirmwareFacts;
}

/** A decoded message: readings in columns, firmware reports and refused values. `isTimed` is false when any reading got the arrival time. */
export interface DecodedTelemetry {
  channels: KnownChannel[];
  times: number[];
  values: number[];
  firmware: FirmwareReport[];
  refused: Refused[];
  isTimed: boolean;
}

export const emptyTelemetry = (): DecodedTelemetry => ({
  channels: [],
  times: [],
  values: [],
  firmware: [],
  refused: [],
  isTimed: true,
});

/** Why nothing of the device is stored now: not claimed, disabled, or its service expired more than 30 days ago. Undefined when it is stored. */
export const refusalOf = (device: KnownDevice, now: number): RefusalReason | undefined => {
  if (device.plantId === null) return RefusalReason.notClaimed;
  if (device.isDisabled) return RefusalReason.disabled;
  if (device.serviceEnd !== null && device.serviceEnd + deviceLimits.graceAfterService < now)
    return RefusalReason.serviceExpired;
  return undefined;
};

/** The first 64 characters of a value. Objects and arrays are abbreviated: they may be nested deeper than the stack. */
const short = (value: unknown): string => {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "[...]" : "{...}";
  return String(value).slice(0, 64);
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isFirmwareFact = (key: string): key is keyof FirmwareFacts => (firmwareFacts as readonly string[]).includes(key);

const addUnknown = (into: DecodedTelemetry, device: KnownDevice, key: string, raw: unknown): void => {
  if (isFirmwareFact(key) && typeof raw !== "string" && typeof raw !== "number")
    into.refused.push({ device, reason: RefusalReason.badValue, key, value: short(raw) });
  else if (isFirmwareFact(key)) {
    const last = into.firmware.at(-1);
    if (last?.device === device) last.facts[key] = short(raw);
    else into.firmware.push({ device, facts: { [key]: short(raw) } });
  } else into.refused.push({ device, reason: RefusalReason.unknownKey, key: short(key), value: short(raw) });
};

/** A decimal number as text, which many clients send and ThingsBoard takes for the number. */
const decimal = /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** More digits than any number has. */
const longestNumber = 64;

/** The number that a value is; NaN when it is none. */
const numberOf = (raw: unknown): number => {
  if (typeof raw === "number") return raw;
  if (typeof raw === "boolean") return Number(raw);
  return typeof raw === "string" && raw.length <= longestNumber && decimal.test(raw) ? Number(raw) : Number.NaN;
};

const addValues = (into: DecodedTelemetry, device: KnownDevice, values: Record<string, unknown>, ts: number): void => {
  for (const key in values) {
    const channel = device.channels.get(key);
    const raw = values[key];
    const value = numberOf(raw);
    if (channel === undefined) addUnknown(into, device, key, raw);
    else if (!channel.isOn)
      into.refused.push({ device, reason: RefusalReason.channelOff, key: short(key), value: short(raw) });
    else if (!Number.isFinite(value))
      into.refused.push({ device, reason: RefusalReason.notANumber, key: short(key), value: short(raw) });
    else if (Math.abs(value) > deviceLimits.magnitude)
      into.refused.push({ device, reason: RefusalReason.tooLargeValue, key: short(key), value: short(raw) });
    else {
      into.channels.push(channel);
      into.times.push(ts);
      // -0 and 0 are one value to the user but two keys to the database.
      into.values.push(value === 0 ? 0 : value);
    }
  }
};

/** What stands beside `ts` and `values` is no reading of that time, nor one of now: which of the two was meant is not said. */
const refuseBeside = (into: DecodedTelemetry, device: KnownDevice, moment: Record<string, unknown>): void => {
  for (const key in moment)
    if (key !== "ts" && key !== "values")
      into.refused.push({ device, reason: RefusalReason.unknownKey, key: short(key), value: short(moment[key]) });
};

const timeRefusal = (device: KnownDevice, ts: unknown, now: number): RefusalReason | undefined => {
  if (typeof ts !== "number" || !Number.isSafeInteger(Math.trunc(ts)) || ts < deviceLimits.earliest)
    return RefusalReason.badTimestamp;
  if (ts < device.readingsFrom) return RefusalReason.noLongerKept;
  return ts > now + deviceLimits.ahead ? RefusalReason.tooFarAhead : undefined;
};

const addMoment = (into: DecodedTelemetry, device: KnownDevice, moment: unknown, now: number): void => {
  if (!isRecord(moment)) {
    into.refused.push({ device, reason: RefusalReason.badPayload, key: "", value: short(moment) });
    return;
  }
  if (!("ts" in moment && isRecord(moment.values))) {
    into.isTimed = false;
    addValues(into, device, moment, now);
    return;
  }
  refuseBeside(into, device, moment);
  const reason = timeRefusal(device, moment.ts, now);
  if (reason === undefined) addValues(into, device, moment.values, Math.trunc(moment.ts as number));
  else
    for (const key of Object.keys(moment.values))
      into.refused.push({ device, reason, key: short(key), value: short(moment.ts) });
};

const momentTime = (moment: unknown): number =>
  isRecord(moment) && typeof moment.ts === "number" ? moment.ts : Number.POSITIVE_INFINITY;

/**
 * Decodes one device's telemetry: values, `{ts, values}`, or an array of these, which is processed in time order. `now` is the arrival time in epoch
 * milliseconds, used for entries without `ts`. Values that cannot be stored are refused one by one.
 */
export const decodeTelemetry = (into: DecodedTelemetry, device: KnownDevice, payload: unknown, now: number): void => {
  const reason = refusalOf(device, now);
  if (reason !== undefined) {
    into.refused.push({ device, reason, key: "", value: "" });
    return;
  }
  if (!Array.isArray(payload)) addMoment(into, device, payload, now);
  else
    for (const moment of payload.toSorted((a, b) => momentTime(a) - momentTime(b)))
      addMoment(into, device, moment, now);
};

/** Parses JSON; undefined when invalid. The buffer is not changed. */
export const parseJson = (payload: Buffer | string): unknown => {
  try {
    return JSON.parse(payload.toString());
  } catch {
    return undefined;
  }
};
