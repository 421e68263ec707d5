import { longestDelay } from "../domains/alerting/conditions.ts";
import {
  analogLabels,
  type ChannelSettings,
  controlContactLabels,
  inputModeLabels,
  outputModeLabels,
  sensorTypeLabels,
  valueFormLabels,
} from "../domains/channels.ts";
import {
  alarmData,
  ChannelMessage,
  type Check,
  decimal,
  measured,
  notNegative,
  oneOf,
  reportInterval,
  staticData,
  unit,
  whole,
} from "./checks.ts";
import { type ChannelKeys, Key, type KeyValue } from "./keys.ts";
import { countingEdgeLabels, digitalSensorLabels, longestDebounce, ntcTypes, onLevelLabels } from "./options.ts";

/** A setting, independent of the channel type. */
export interface SettingDescriptor {
  /** Field that stores it; undefined for `Souce`, which is stored as the id of the channel it names. */
  field: keyof ChannelSettings | undefined;
  /** Unit of its number: the channel's unit, or seconds. */
  unit?: "channel" | "seconds";
  /** Labels of its values, when it is a choice. */
  labels?: Readonly<Record<number, string>>;
  /** Readings before and after a change are not comparable. */
  changesMeaning?: true;
  /** A channel may be without it. */
  isOptional?: true;
  /** The value that means the same as being without it, which is how it is stored then. */
  whenAbsent?: number;
  /** Validation of its value on its own. */
  check: Check;
}

/** A setting that is chosen among values with labels. */
const chosen = (labels: Readonly<Record<number, string>>) => ({
  labels,
  check: oneOf(Object.keys(labels).map(Number)),
});

const inUnit = { unit: "channel" } as const;
const inSeconds = { unit: "seconds" } as const;
const meaning = { changesMeaning: true } as const;
/** Seconds that an alarm waits; none: at once. */
const delay = { ...inSeconds, check: whole(longestDelay), isOptional: true, whenAbsent: 0 } as const;

/** All settings by the specification's name. A new `Key` does not compile until it is added here. */
export const settingsByKey: Readonly<Record<Key, SettingDescriptor>> = {
  [Key.inputSensorType]: { field: "sensorType", ...chosen(sensorTypeLabels), ...meaning },
  // Without a value form, readings are taken as already scaled.
  [Key.valueForm]: { field: "valueForm", ...chosen(valueFormLabels), ...meaning, isOptional: true },
  [Key.analog]: { field: "analogId", labels: analogLabels, ...meaning, check: measured },
  [Key.unit]: { field: "unit", ...meaning, check: unit },
  [Key.ntcType]: { field: "ntcType", ...meaning, check: oneOf(Object.keys(ntcTypes)) },
  [Key.zero]: { field: "zero", ...inUnit, ...meaning, check: decimal },
  [Key.span]: { field: "span", ...inUnit, ...meaning, check: decimal },
  [Key.lowerAlarm]: { field: "lowerAlarm", ...inUnit, check: decimal },
  [Key.lowerHysteresis]: { field: "lowerHysteresis", ...inUnit, check: notNegative },
  [Key.lowerDelay]: { field: "lowerAlarmDelay", ...delay },
  [Key.lowerClearDelay]: { field: "lowerClearDelay", ...delay },
  [Key.higherAlarm]: { field: "higherAlarm", ...inUnit, check: decimal },
  [Key.higherHysteresis]: { field: "higherHysteresis", ...inUnit, check: notNegative },
  [Key.higherDelay]: { field: "higherAlarmDelay", ...delay },
  [Key.higherClearDelay]: { field: "higherClearDelay", ...delay },
  [Key.sensorType]: { field: "sensorType", ...chosen(digitalSensorLabels), ...meaning },
  [Key.inputMode]: { field: "inputMode", ...chosen(inputModeLabels), ...meaning },
  [Key.on]: { field: "userDefinedOn", ...chosen(onLevelLabels), ...meaning },
  [Key.countingEdge]: { field: "countingEdge", ...chosen(countingEdgeLabels), ...meaning },
  [Key.alarmData]: { field: "alarmData", check: alarmData, isOptional: true },
  [Key.alarmDelay]: { field: "alarmDelay", ...delay },
  [Key.debounce]: { field: "debounce", check: whole(longestDebounce) },
  [Key.mode]: { field: "outputMode", ...chosen(outputModeLabels) },
  [Key.controlContact]: { field: "controlContact", ...chosen(controlContactLabels) },
  // Whether the source exists is checked by the server.
  [Key.source]: { field: undefined, check: (value) => (typeof value === "object" ? undefined : ChannelMessage.choice) },
  [Key.reportInterval]: { field: "reportInterval", ...inSeconds, check: reportInterval },
  [Key.staticData]: { field: "staticData", ...inSeconds, check: staticData, isOptional: true },
};

/** A setting's value; for one that is not set, what means the same. */
export const valueIn = (keys: ChannelKeys, key: Key): KeyValue => keys[key] ?? settingsByKey[key].whenAbsent ?? null;
