import { type ChannelKeys, Key, type KeyValue, keysOf, type SourceKey } from "@telltale/contract/channel-types/keys";
import { CountingEdge, DigitalSensor, defaultDebounce, ntcRange } from "@telltale/contract/channel-types/options";
import {
  Analog,
  type ChannelSettings,
  ChannelType,
  ControlContact,
  InputMode,
  OutputMode,
  SensorType,
  SourceType,
  ValueForm,
} from "@telltale/contract/domains/channels";

const ofContact = ({ inputMode, alarmData }: ChannelSettings, type: SourceType): boolean => {
  if (alarmData === undefined || inputMode === InputMode.statusLog) return false;
  // A count alarms when it is reached; a contact at the level that is set.
  const isHigh = inputMode === InputMode.counting || alarmData > 0;
  return isHigh === (type === SourceType.high);
};

/** Whether an input has the alarm set that would drive an output. */
export const hasAlarm = (channelType: number, settings: ChannelSettings, type: SourceType): boolean => {
  if (channelType === ChannelType.digitalInput) return ofContact(settings, type);
  return (type === SourceType.high ? settings.higherAlarm : settings.lowerAlarm) !== undefined;
};

/** Under which name a setting is kept. `Souce` has a place of its own: see `sourceFields`. */
const fields: Readonly<Partial<Record<Key, keyof ChannelSettings>>> = {
  [Key.inputSensorType]: "sensorType",
  [Key.valueForm]: "valueForm",
  [Key.analog]: "analogId",
  [Key.unit]: "unit",
  [Key.ntcType]: "ntcType",
  [Key.zero]: "zero",
  [Key.span]: "span",
  [Key.lowerAlarm]: "lowerAlarm",
  [Key.lowerHysteresis]: "lowerHysteresis",
  [Key.higherAlarm]: "higherAlarm",
  [Key.higherHysteresis]: "higherHysteresis",
  [Key.sensorType]: "sensorType",
  [Key.inputMode]: "inputMode",
  [Key.on]: "userDefinedOn",
  [Key.countingEdge]: "countingEdge",
  [Key.alarmData]: "alarmData",
  [Key.debounce]: "debounce",
  [Key.mode]: "outputMode",
  [Key.controlContact]: "controlContact",
  [Key.reportInterval]: "reportInterval",
  [Key.staticData]: "staticData",
};

const common = [Key.reportInterval, Key.staticData];
const measured = [Key.analog, Key.unit, Key.zero, Key.span, Key.higherAlarm, Key.higherHysteresis];

/** All settings that a channel of the type can have, whatever it is set to. */
const keysOfType: Readonly<Record<number, readonly Key[]>> = {
  [ChannelType.analogInput]: [
    Key.inputSensorType,
    Key.valueForm,
    Key.ntcType,
    ...measured,
    Key.lowerAlarm,
    Key.lowerHysteresis,
    ...common,
  ],
  [ChannelType.digitalInput]: [
    Key.sensorType,
    Key.inputMode,
    Key.on,
    Key.countingEdge,
    Key.alarmData,
    Key.debounce,
    ...common,
  ],
  [ChannelType.digitalOutput]: [Key.mode, Key.controlContact, ...common],
  [ChannelType.vibration]: [...measured, ...common],
};

/** What a channel is as long as nobody has set it otherwise. */
const defaults: Readonly<Record<number, Partial<ChannelSettings>>> = {
  [ChannelType.analogInput]: { valueForm: ValueForm.engineering },
  [ChannelType.digitalInput]: {
    sensorType: DigitalSensor.dryContact,
    inputMode: InputMode.digital,
    userDefinedOn: 1,
    countingEdge: CountingEdge.rising,
    debounce: defaultDebounce,
  },
  [ChannelType.digitalOutput]: { outputMode: OutputMode.all, controlContact: ControlContact.normallyOpen },
};

/** The unit's own sensor, which has no electrical range to set. */
export const isBuiltIn = (channelType: number, { sensorType }: ChannelSettings): boolean =>
  channelType === ChannelType.analogInput && sensorType === undefined;

/** Settings by the specification's names, those only that are made. `source` is what drives a digital output. */
export const keysOfSettings = (
  channelType: number,
  settings: ChannelSettings,
  source: SourceKey | undefined,
): ChannelKeys => {
  const known = { ...defaults[channelType], ...settings };
  const made = (keysOfType[channelType] ?? []).flatMap((key): [Key, KeyValue][] => {
    const value = known[fields[key] ?? "unit"];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(source ? [...made, [Key.source, source]] : made);
};

/** Where a source is found: its channel's code, and its unit's device ID unless it is the output's own. */
export interface SourceFields {
  source: string;
  sourceDevice?: string;
  sourceType: number;
}

/** What follows from some settings for others. */
const consequences = (channelType: number, settings: ChannelSettings): Partial<ChannelSettings> => {
  if (channelType === ChannelType.digitalInput)
    return {
      analogId: settings.inputMode === InputMode.counting ? Analog.countingInput : Analog.digitalInput,
    };
  // The ends of its table are a thermistor's ZERO and SPAN. (spec 2 §4)
  if (channelType === ChannelType.analogInput && settings.sensorType === SensorType.ntc)
    return { zero: ntcRange.min, span: ntcRange.max };
  return {};
};

/** A channel's settings with those of `keys` that it has any use for; `source` is what `Souce` names, for an output driven by one channel. */
export const settingsWith = (
  channelType: number,
  settings: ChannelSettings,
  keys: ChannelKeys,
  source: SourceFields | undefined,
): ChannelSettings => {
  const kind = { channelType, isBuiltIn: isBuiltIn(channelType, settings) };
  const { source: _, sourceDevice: __, sourceType: ___, ...others } = settings;
  const changed: Record<string, unknown> =
    channelType === ChannelType.digitalOutput ? { ...others, ...source } : { ...settings };
  for (const key of keysOf(kind, keys)) {
    const field = fields[key];
    if (!field) continue;
    const value = keys[key] ?? undefined;
    if (value === undefined) delete changed[field];
    else changed[field] = value;
  }
  const made = changed as ChannelSettings;
  return { ...made, ...consequences(channelType, made) };
};
