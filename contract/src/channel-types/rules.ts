import { ChannelMessage, type EditedChannel, isNumber, isThermistor } from "./checks.ts";
import { keysOf } from "./index.ts";
import { alarmPairs, type ChannelKeys, type ChannelKind, isSameValue, Key } from "./keys.ts";
import { ntcRange } from "./options.ts";
import { settingsByKey, valueIn } from "./settings.ts";

/** Validation messages by setting. */
export type ValidationErrors = Partial<Record<Key, string>>;

/** The settings that an edit changes. */
export const changedKeys = ({
  before,
  after,
  ...kind
}: Pick<EditedChannel, "before" | "after" | keyof ChannelKind>): Key[] =>
  keysOf(kind, after).filter((key) => !isSameValue(valueIn(before, key), valueIn(after, key)));

/** Settings that may be empty. An alarm's hysteresis is empty together with the alarm. */
const mayBeNone = (key: Key, after: ChannelKeys): boolean => {
  if (settingsByKey[key].isOptional) return true;
  const pair = alarmPairs.find(({ alarm, hysteresis }) => key === alarm || key === hysteresis);
  return pair !== undefined && (after[pair.alarm] ?? null) === null;
};

const errorOf = (channel: EditedChannel, key: Key): string | undefined => {
  const value = channel.after[key];
  if (value === "" && key !== Key.unit) return ChannelMessage.blank;
  if (value === undefined || value === null) {
    // A hysteresis that the factory settings left empty may stay empty.
    const stays = isSameValue(channel.before[key], value) && key.endsWith("Hysteresis");
    return stays || mayBeNone(key, channel.after) ? undefined : ChannelMessage.blank;
  }
  return settingsByKey[key].check(value, channel);
};

/** ZERO..SPAN; undefined for a channel without such a range. */
const rangeOf = (channel: EditedChannel): { min: number; max: number } | undefined => {
  if (isThermistor(channel.after)) return ntcRange;
  const { [Key.zero]: zero, [Key.span]: span } = channel.after;
  return isNumber(zero) && isNumber(span) ? { min: zero, max: span } : undefined;
};

/** The value at which an alarm clears: its limit moved by the hysteresis towards the middle; undefined without the alarm. */
const clearingAt = (keys: ChannelKeys, { alarm, hysteresis }: (typeof alarmPairs)[number]): number | undefined => {
  const [limit, distance] = [keys[alarm], keys[hysteresis] ?? 0];
  if (!(isNumber(limit) && isNumber(distance))) return undefined;
  // Removes binary rounding (0.1 + 0.2 !== 0.3); ten digits are finer than any sensor.
  return Number((alarm === Key.lowerAlarm ? limit + distance : limit - distance).toPrecision(10));
};

/** Validation across settings: the range and the alarms in it. */
const togetherErrors = (channel: EditedChannel): ValidationErrors => {
  const { after } = channel;
  const has = new Set(keysOf(channel, after));
  const [lower, higher] = alarmPairs.map((pair) => (has.has(pair.alarm) ? clearingAt(after, pair) : undefined));
  const range = rangeOf(channel);
  const found: ValidationErrors = {};
  if (range && range.min > range.max) found[Key.zero] = ChannelMessage.zeroAboveSpan;
  const isOutside = (value: number | undefined) =>
    range !== undefined && value !== undefined && (value < range.min || value > range.max);
  if (isOutside(lower)) found[Key.lowerAlarm] = ChannelMessage.lowerOutside;
  if (isOutside(higher)) found[Key.higherAlarm] = ChannelMessage.higherOutside;
  else if (lower !== undefined && higher !== undefined && higher < lower)
    found[Key.higherAlarm] = ChannelMessage.alarmsCross;
  return found;
};

/** All validation errors of an edit by setting, in the settings' order; empty when it is valid. (spec 2 §5) */
export const channelErrors = (channel: EditedChannel): ValidationErrors => {
  const together = togetherErrors(channel);
  const found: ValidationErrors = {};
  for (const key of keysOf(channel, channel.after)) {
    const validationError = errorOf(channel, key) ?? together[key];
    if (validationError !== undefined) found[key] = validationError;
  }
  return found;
};
