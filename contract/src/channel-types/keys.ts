import { z } from "zod";
import type { ChannelType } from "../domains/channels.ts";
import { onOneLine } from "../text/text-fields.ts";

/** The specification's names of a channel's settings, its spelling included. (spec 2 §3) */
export const Key = {
  inputSensorType: "Input Sensor type",
  /**
   * Not of the specification's keys, which have no name for what the decisions (§3) demand: whether readings arrive as the sensor's volts,
   * milliamperes or ohms, which ZERO..SPAN or the thermistor's table scale, or scaled already.
   */
  valueForm: "Value form",
  analog: "ANALOG",
  unit: "UNIT",
  ntcType: "NTC Type",
  zero: "ZERO",
  span: "SPAN",
  lowerAlarm: "Lower Alarm",
  lowerHysteresis: "Lower Alarm Hysteresis",
  higherAlarm: "Higher Alarm",
  higherHysteresis: "Higher Alarm Hysteresis",
  sensorType: "Sensor Type",
  inputMode: "Input mode",
  on: "User Denfined On",
  countingEdge: "Counting Edge",
  alarmData: "Alarm Data",
  debounce: "Debounce(ms)",
  mode: "Mode",
  controlContact: "Control Contact",
  source: "Souce",
  reportInterval: "Report Interval",
  staticData: "STATIC DATA",
} as const;
export type Key = (typeof Key)[keyof typeof Key];

/** What drives a digital output: the High (1) or Low (2) alarm of a channel. */
export const SourceKey = z.object({ deviceChannelId: z.int32(), type: z.int32() });
export type SourceKey = z.output<typeof SourceKey>;

/** A setting as it travels: a number, a text, a source; null where none is set, an empty text where nothing was entered. */
export const KeyValue = z.union([z.number(), onOneLine(z.string().trim().max(64)), SourceKey]);
export type KeyValue = z.output<typeof KeyValue> | null;

/** Settings by their names. What is left out of a change stays as it is. */
export const ChannelKeys = z.partialRecord(z.enum(Key, { error: "There is no such setting" }), KeyValue.nullable());
export type ChannelKeys = z.output<typeof ChannelKeys>;

/** What decides which settings a channel has, besides what it is set to. */
export interface ChannelKind {
  channelType: ChannelType;
  /** The unit's own sensor: what it measures, and in what, can't be chosen. */
  isBuiltIn: boolean;
}

/** Alarms, of which a channel may have none: each with its hysteresis. */
export const alarmPairs = [
  { alarm: Key.lowerAlarm, hysteresis: Key.lowerHysteresis },
  { alarm: Key.higherAlarm, hysteresis: Key.higherHysteresis },
] as const;

const isSource = (value: KeyValue | undefined): value is SourceKey => typeof value === "object" && value !== null;

/** Whether two settings are the same; one that was never made is the same as none. */
export const isSameValue = (a: KeyValue | undefined, b: KeyValue | undefined): boolean =>
  isSource(a) && isSource(b)
    ? a.deviceChannelId === b.deviceChannelId && a.type === b.type
    : (a ?? null) === (b ?? null);
