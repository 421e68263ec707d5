import { AlertType } from "../domains/alerts.ts";
import type { ChannelSettings, ChannelType, SourceType } from "../domains/channels.ts";
import type { alarmPairs, ChannelKeys, Key } from "./keys.ts";
import { identityScale, type Scale } from "./scaling.ts";

/** A numeric setting. */
export type NumberField = {
  [F in keyof ChannelSettings]-?: NonNullable<ChannelSettings[F]> extends number ? F : never;
}[keyof ChannelSettings];

/** A setting that, while set, raises a threshold alert (class 2). Declared as data so that SQL queries can use it too. */
export interface LimitDescriptor {
  alarmType: AlertType;
  /** Fields that hold setpoint and hysteresis, in the channel's unit. */
  setpoint: NumberField;
  hysteresis?: NumberField;
  /** Fields that hold its delays, in seconds. */
  onDelay?: NumberField;
  offDelay?: NumberField;
  /** Applies only while another setting has this value. */
  when?: { field: NumberField; is: number };
}

/** The range of values in the channel's unit; null where there is no bound. */
export interface ValueRange {
  zero: number | null;
  span: number | null;
  /** A level or a count: only whole numbers occur. */
  isDiscrete: boolean;
}

/** Everything specific to a channel type. Form, storage, validation, settings periods, alarms and charts derive from it. */
export interface ChannelTypeDescriptor {
  type: ChannelType;
  /** Label of its tab in the configuration; undefined when its settings are not edited here. */
  label: string | undefined;
  /** All settings that the type can store, whatever the channel's mode. */
  stored: readonly Key[];
  /** Default settings. */
  defaults: Partial<ChannelSettings>;
  /**
   * The editable settings of a channel with these values, in the form's order, without report interval and static data. `isBuiltIn`: the unit's
   * built-in sensor.
   */
  editable(keys: ChannelKeys, isBuiltIn: boolean): readonly Key[];
  /** The settings that a settings period shows, in order, without report interval and static data. */
  shown(settings: ChannelSettings): readonly Key[];
  /** Settings derived from others. */
  consequences(settings: ChannelSettings): Partial<ChannelSettings>;
  limits: readonly LimitDescriptor[];
  range(settings: ChannelSettings): ValueRange;
  /** Converts a raw value into the channel's unit. */
  scale(settings: Partial<ChannelSettings>): Scale;
  /** Converts a value in the channel's unit into what the device sends: the inverse of `scale`. The simulator sends by it. */
  unscale(settings: Partial<ChannelSettings>): (value: number) => number;
  /** Its values are levels or counts, and no measurements. */
  isDiscrete: boolean;
  /** Which of its alarms are set and may drive an output; undefined when the channel cannot drive one. */
  drives?(settings: ChannelSettings): Readonly<Record<SourceType, boolean>>;
}

/** Lower Alarm. */
export const lowLimit: LimitDescriptor = {
  alarmType: AlertType.low,
  setpoint: "lowerAlarm",
  hysteresis: "lowerHysteresis",
  onDelay: "lowerAlarmDelay",
  offDelay: "lowerClearDelay",
};

/** Higher Alarm. */
export const highLimit: LimitDescriptor = {
  alarmType: AlertType.high,
  setpoint: "higherAlarm",
  hysteresis: "higherHysteresis",
  onDelay: "higherAlarmDelay",
  offDelay: "higherClearDelay",
};

type AlarmPair = (typeof alarmPairs)[number];

/** All settings of an alarm, in order. */
export const allOf = ({ alarm, hysteresis, delay, clearDelay }: AlarmPair): Key[] => [
  alarm,
  hysteresis,
  delay,
  clearDelay,
];

/** Whether a setting has a value, or a field for it that was left empty. */
export const isGiven = (keys: ChannelKeys, key: Key): boolean => (keys[key] ?? null) !== null;

/** The editable settings of an alarm: its delays only while it is on. */
export const editableOf = (keys: ChannelKeys, pair: AlarmPair): Key[] =>
  isGiven(keys, pair.alarm) ? allOf(pair) : [pair.alarm, pair.hysteresis];

/** The range of a contact: 0 and 1. */
export const levels: ValueRange = { zero: 0, span: 1, isDiscrete: true };

/** ZERO..SPAN, each where set. */
export const zeroToSpan = ({ zero, span }: ChannelSettings): ValueRange => ({
  zero: zero ?? null,
  span: span ?? null,
  isDiscrete: false,
});

/** Readings arrive in the channel's unit. */
export const inChannelUnit = {
  scale: identityScale,
  unscale: () => (value: number) => value,
} satisfies Pick<ChannelTypeDescriptor, "scale" | "unscale">;
