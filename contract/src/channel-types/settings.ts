import {
  analogLabels,
  type ChannelSettings,
  controlContactLabels,
  inputModeLabels,
  outputModeLabels,
  sensorTypeLabels,
  valueFormLabels,
} from "../domains/channels.ts";
import { Key } from "./keys.ts";
import { countingEdgeLabels, digitalSensorLabels, onLevelLabels } from "./options.ts";

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
}

const inUnit = { unit: "channel" } as const;
const inSeconds = { unit: "seconds" } as const;
const meaning = { changesMeaning: true } as const;

/** Every setting by the specification's name. A new one does not compile until it stands here. */
export const settingsByKey: Readonly<Record<Key, SettingDescriptor>> = {
  [Key.inputSensorType]: { field: "sensorType", labels: sensorTypeLabels, ...meaning },
  [Key.valueForm]: { field: "valueForm", labels: valueFormLabels, ...meaning },
  [Key.analog]: { field: "analogId", labels: analogLabels, ...meaning },
  [Key.unit]: { field: "unit", ...meaning },
  [Key.ntcType]: { field: "ntcType", ...meaning },
  [Key.zero]: { field: "zero", ...inUnit, ...meaning },
  [Key.span]: { field: "span", ...inUnit, ...meaning },
  [Key.lowerAlarm]: { field: "lowerAlarm", ...inUnit },
  [Key.lowerHysteresis]: { field: "lowerHysteresis", ...inUnit },
  [Key.higherAlarm]: { field: "higherAlarm", ...inUnit },
  [Key.higherHysteresis]: { field: "higherHysteresis", ...inUnit },
  [Key.sensorType]: { field: "sensorType", labels: digitalSensorLabels, ...meaning },
  [Key.inputMode]: { field: "inputMode", labels: inputModeLabels, ...meaning },
  [Key.on]: { field: "userDefinedOn", labels: onLevelLabels, ...meaning },
  [Key.countingEdge]: { field: "countingEdge", labels: countingEdgeLabels, ...meaning },
  [Key.alarmData]: { field: "alarmData" },
  [Key.debounce]: { field: "debounce" },
  [Key.mode]: { field: "outputMode", labels: outputModeLabels },
  [Key.controlContact]: { field: "controlContact", labels: controlContactLabels },
  [Key.source]: { field: undefined },
  [Key.reportInterval]: { field: "reportInterval", ...inSeconds },
  [Key.staticData]: { field: "staticData", ...inSeconds },
};
