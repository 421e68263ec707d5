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
import { Key } from "./keys.ts";
import { countingEdgeLabels, digitalSensorLabels, longestDebounce, ntcTypes, onLevelLabels } from "./options.ts";

/** A setting, whichever channels have it. */
export interface SettingDescriptor {
  /** Where it is kept; undefined for `Souce`, which is kept as the channel that it names. */
  field: keyof ChannelSettings | undefined;
  /** What its number is measured in: the channel's unit, or seconds. */
  unit?: "channel" | "seconds";
  /** Its values in words, where it is chosen. */
  labels?: Readonly<Record<number, string>>;
  /** Readings before and after it was changed can't be compared. */
  changesMeaning?: true;
  /** A channel may be without it. */
  isOptional?: true;
  /** What its value has to be by itself. */
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

/** Every setting by the specification's name. A new one does not compile until it stands here. */
export const settingsByKey: Readonly<Record<Key, SettingDescriptor>> = {
  [Key.inputSensorType]: { field: "sensorType", ...chosen(sensorTypeLabels), ...meaning },
  // Without it readings arrive scaled.
  [Key.valueForm]: { field: "valueForm", ...chosen(valueFormLabels), ...meaning, isOptional: true },
  [Key.analog]: { field: "analogId", labels: analogLabels, ...meaning, check: measured },
  [Key.unit]: { field: "unit", ...meaning, check: unit },
  [Key.ntcType]: { field: "ntcType", ...meaning, check: oneOf(Object.keys(ntcTypes)) },
  [Key.zero]: { field: "zero", ...inUnit, ...meaning, check: decimal },
  [Key.span]: { field: "span", ...inUnit, ...meaning, check: decimal },
  [Key.lowerAlarm]: { field: "lowerAlarm", ...inUnit, check: decimal },
  [Key.lowerHysteresis]: { field: "lowerHysteresis", ...inUnit, check: notNegative },
  [Key.higherAlarm]: { field: "higherAlarm", ...inUnit, check: decimal },
  [Key.higherHysteresis]: { field: "higherHysteresis", ...inUnit, check: notNegative },
  [Key.sensorType]: { field: "sensorType", ...chosen(digitalSensorLabels), ...meaning },
  [Key.inputMode]: { field: "inputMode", ...chosen(inputModeLabels), ...meaning },
  [Key.on]: { field: "userDefinedOn", ...chosen(onLevelLabels), ...meaning },
  [Key.countingEdge]: { field: "countingEdge", ...chosen(countingEdgeLabels), ...meaning },
  [Key.alarmData]: { field: "alarmData", check: alarmData, isOptional: true },
  [Key.debounce]: { field: "debounce", check: whole(longestDebounce) },
  [Key.mode]: { field: "outputMode", ...chosen(outputModeLabels) },
  [Key.controlContact]: { field: "controlContact", ...chosen(controlContactLabels) },
  // Which sources exist only the server knows.
  [Key.source]: { field: undefined, check: (value) => (typeof value === "object" ? undefined : ChannelMessage.choice) },
  [Key.reportInterval]: { field: "reportInterval", ...inSeconds, check: reportInterval },
  [Key.staticData]: { field: "staticData", ...inSeconds, check: staticData, isOptional: true },
};
