import { AlertType } from "../domains/alerts.ts";
import type { ChannelSettings, ChannelType, SourceType } from "../domains/channels.ts";
import type { ChannelKeys, Key } from "./keys.ts";
import { type Scale, scaledAlready } from "./scaling.ts";

/** A numeric setting. */
type NumberField = {
  [F in keyof ChannelSettings]-?: NonNullable<ChannelSettings[F]> extends number ? F : never;
}[keyof ChannelSettings];

/** A setting that raises a threshold alert (class 2) while it is set. As data, so that the database can be asked for it, too. */
export interface LimitDescriptor {
  alarmType: AlertType;
  /** Where setpoint and hysteresis are kept, in the channel's unit. */
  setpoint: NumberField;
  hysteresis?: NumberField;
  /** Only while another setting has this value. */
  when?: { field: NumberField; is: number };
}

/** What values lie between, in the channel's unit; null where there is no end. */
export interface ValueRange {
  zero: number | null;
  span: number | null;
  /** A level or a count: no values between two whole numbers. */
  isDiscrete: boolean;
}

/** Everything that is particular to a type of channel. Form, storage, checks, periods, alarms and charts derive from it. */
export interface ChannelTypeDescriptor {
  type: ChannelType;
  /** Of its tab in the configuration; undefined where its settings are not made here. */
  label: string | undefined;
  /** All settings that it can have, whatever it is set to. */
  stored: readonly Key[];
  /** Settings as long as nobody has made them otherwise. */
  defaults: Partial<ChannelSettings>;
  /** The settings that can be made of a channel set up like this, in the form's order, without report interval and static data. `isBuiltIn`: the unit's own sensor. */
  editable(keys: ChannelKeys, isBuiltIn: boolean): readonly Key[];
  /** The settings that a settings period shows, in their order, without report interval and static data. */
  shown(settings: ChannelSettings): readonly Key[];
  /** Settings that follow from others. */
  consequences(settings: ChannelSettings): Partial<ChannelSettings>;
  limits: readonly LimitDescriptor[];
  range(settings: ChannelSettings): ValueRange;
  /** Turns what a device sends into the channel's unit. */
  scale(settings: Partial<ChannelSettings>): Scale;
  /** What a device sends for a value in the channel's unit: the inverse of `scale`, which the simulator uses. */
  unscale(settings: Partial<ChannelSettings>): (value: number) => number;
  /** Levels and counts go in steps; measurements slope from one to the next. */
  isDiscrete: boolean;
  /** Which of its alarms are set that may drive an output; undefined where it drives none. */
  drives?(settings: ChannelSettings): Readonly<Record<SourceType, boolean>>;
}

/** Lower Alarm. */
export const lowLimit: LimitDescriptor = {
  alarmType: AlertType.low,
  setpoint: "lowerAlarm",
  hysteresis: "lowerHysteresis",
};

/** Higher Alarm. */
export const highLimit: LimitDescriptor = {
  alarmType: AlertType.high,
  setpoint: "higherAlarm",
  hysteresis: "higherHysteresis",
};

/** A contact's two levels. */
export const levels: ValueRange = { zero: 0, span: 1, isDiscrete: true };

/** ZERO..SPAN, as far as they are set. */
export const zeroToSpan = ({ zero, span }: ChannelSettings): ValueRange => ({
  zero: zero ?? null,
  span: span ?? null,
  isDiscrete: false,
});

/** Readings arrive in the channel's unit. */
export const inChannelUnit = {
  scale: scaledAlready,
  unscale: () => (value: number) => value,
} satisfies Pick<ChannelTypeDescriptor, "scale" | "unscale">;
