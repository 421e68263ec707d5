import { z } from "zod";
import type { ChannelType } from "../domains/channels.ts";
import { onOneLine } from "../text/text-fields.ts";

/** Setting names as the specification spells them. (spec 2 §3, spec 4 §2) */
export const Key = {
  inputSensorType: "Input Sensor type",
  /**
   * Not in the specification; required by decisions §3. Selects whether readings arrive as the sensor's volts, milliamperes or ohms, which are
   * then scaled by ZERO..SPAN or the thermistor's table, or already scaled.
   */
  valueForm: "Value form",
  analog: "ANALOG",
  unit: "UNIT",
  ntcType: "NTC Type",
  zero: "ZERO",
  span: "SPAN",
  lowerAlarm: "Lower Alarm",
  lowerHysteresis: "Lower Alarm Hysteresis",
  lowerDelay: "Lower Alarm Delay",
  lowerClearDelay: "Lower Clear Delay",
  higherAlarm: "Higher Alarm",
  higherHysteresis: "Higher Alarm Hysteresis",
  higherDelay: "Higher Alarm Delay",
  higherClearDelay: "Higher Clear Delay",
  sensorType: "Sensor Type",
  inputMode: "Input mode",
  on: "User Denfined On",
  countingEdge: "Counting Edge",
  alarmData: "Alarm Data",
  alarmDelay: "Alarm Delay",
  debounce: "Debounce(ms)",
  mode: "Mode",
  controlContact: "Control Contact",
  source: "Souce",
  reportInterval: "Report Interval",
  staticData: "STATIC DATA",
} as const;
export type Key = (typeof Key)[keyof typeof Key];

/** The source of a digital output: the High (1) or Low (2) alarm of a channel. */
export const SourceKey = z.object({ deviceChannelId: z.int32(), type: z.int32() });
export type SourceKey = z.output<typeof SourceKey>;

/** A setting's value as sent: a number, a text or a source; null when not set, an empty text when a field was left empty. */
export const KeyValue = z.union([z.number(), onOneLine(z.string().trim().max(64)), SourceKey]);
export type KeyValue = z.output<typeof KeyValue> | null;

/** Settings by name. Settings that are left out stay unchanged. */
export const ChannelKeys = z.partialRecord(z.enum(Key, { error: "There is no such setting" }), KeyValue.nullable());
export type ChannelKeys = z.output<typeof ChannelKeys>;

/** What determines which settings a channel has, apart from their values. */
export interface ChannelKind {
  channelType: ChannelType;
  /** The unit's built-in sensor: its quantity and unit are fixed. */
  isBuiltIn: boolean;
}

/** Optional alarms, each with its hysteresis and its delays. */
export const alarmPairs = [
  {
    alarm: Key.lowerAlarm,
    hysteresis: Key.lowerHysteresis,
    delay: Key.lowerDelay,
    clearDelay: Key.lowerClearDelay,
  },
  {
    alarm: Key.higherAlarm,
    hysteresis: Key.higherHysteresis,
    delay: Key.higherDelay,
    clearDelay: Key.higherClearDelay,
  },
] as const;

const isSource = (value: KeyValue | undefined): value is SourceKey => typeof value === "object" && value !== null;

/** Whether two values of a setting are equal; a missing value equals null. */
export const isSameValue = (a: KeyValue | undefined, b: KeyValue | undefined): boolean =>
  isSource(a) && isSource(b)
    ? a.deviceChannelId === b.deviceChannelId && a.type === b.type
    : (a ?? null) === (b ?? null);
