import {
  analogLabels,
  type ChannelSettings,
  ChannelType,
  controlContactLabels,
  InputMode,
  inputModeLabels,
  outputModeLabels,
  SensorType,
  type ShownSetting,
  sensorTypeLabels,
  sourceTypeLabels,
  ValueForm,
  valueFormLabels,
} from "@telltale/contract/domains/channels";

type Raw = number | string | undefined;

const countingEdges: Record<number, string> = { 1: "Rising", 2: "Down", 3: "Both" };
const digitalSensors: Record<number, string> = { 1: "Dry Contact", 2: "NPN" };

/** One setting, or none when it is not set. */
const shown = (name: string, val: Raw, text: (val: number | string) => string = String): ShownSetting[] =>
  val === undefined ? [] : [{ name, nameVal: text(val), val }];

const named = (labels: Readonly<Record<string, string>>) => (val: number | string) => labels[val] ?? String(val);
const inUnit = (unit: string) => (val: number | string) => (unit ? `${val} ${unit}` : String(val));
const seconds = inUnit("s");

const measured = ({ analogId, unit }: ChannelSettings): ShownSetting[] => [
  ...shown("ANALOG", analogId, named(analogLabels)),
  ...shown("UNIT", unit === "" ? undefined : unit),
];

const limits = (settings: ChannelSettings, hasLower: boolean): ShownSetting[] => {
  const unit = inUnit(settings.unit);
  return [
    ...(hasLower ? shown("Lower Alarm", settings.lowerAlarm, unit) : []),
    ...(hasLower ? shown("Lower Alarm Hysteresis", settings.lowerHysteresis, unit) : []),
    ...shown("Higher Alarm", settings.higherAlarm, unit),
    ...shown("Higher Alarm Hysteresis", settings.higherHysteresis, unit),
  ];
};

const range = ({ zero, span, unit }: ChannelSettings): ShownSetting[] => [
  ...shown("ZERO", zero, inUnit(unit)),
  ...shown("SPAN", span, inUnit(unit)),
];

const reporting = ({ reportInterval, staticData }: ChannelSettings): ShownSetting[] => [
  ...shown("Report Interval", reportInterval, seconds),
  ...shown("STATIC DATA", staticData, seconds),
];

/** Whatever is neither Status Log nor DI counts. (spec 1 §4) */
const inputMode = (val: number | string): string => {
  const labels: Readonly<Record<string, string>> = inputModeLabels;
  return labels[val] ?? inputModeLabels[InputMode.counting];
};

const onLevel = ({ userDefinedOn }: ChannelSettings): ShownSetting[] =>
  shown("User Denfined On", userDefinedOn, (val) => `ON=${val}`);

const analog = (settings: ChannelSettings): ShownSetting[] => [
  ...shown("Input Sensor type", settings.sensorType, named(sensorTypeLabels)),
  // That a value arrives scaled already goes without saying.
  ...(settings.valueForm === ValueForm.electrical
    ? shown("Value form", settings.valueForm, named(valueFormLabels))
    : []),
  ...measured(settings),
  ...(settings.sensorType === SensorType.ntc ? shown("NTC Type", settings.ntcType) : range(settings)),
  ...limits(settings, true),
];

const digitalInput = (settings: ChannelSettings): ShownSetting[] => [
  ...shown("Sensor Type", settings.sensorType, named(digitalSensors)),
  ...shown("Input mode", settings.inputMode, inputMode),
  ...onLevel(settings),
  ...(settings.inputMode === InputMode.counting
    ? shown("Counting Edge", settings.countingEdge, named(countingEdges))
    : []),
  ...shown("Alarm Data", settings.alarmData),
  ...(settings.inputMode === InputMode.digital ? [] : shown("Debounce(ms)", settings.debounce)),
];

/** What drives an output, as `Wet well gas High`; `--` while any alarm of its device does. `Souce` is the specification's spelling. */
const sourceOf = ({ source, sourceType }: ChannelSettings, sourceName: string | null): ShownSetting => {
  if (source === undefined) return { name: "Souce", nameVal: "--", val: null };
  return {
    name: "Souce",
    nameVal: `${sourceName ?? source} ${named(sourceTypeLabels)(sourceType ?? "")}`,
    val: source,
  };
};

const digitalOutput = (settings: ChannelSettings, sourceName: string | null): ShownSetting[] => [
  ...shown("Mode", settings.outputMode, named(outputModeLabels)),
  ...shown("Control Contact", settings.controlContact, named(controlContactLabels)),
  ...(settings.outputMode === undefined ? [] : [sourceOf(settings, sourceName)]),
  ...onLevel(settings),
  ...shown("Alarm Data", settings.alarmData),
];

const ofType = (channelType: number, settings: ChannelSettings, sourceName: string | null): ShownSetting[] => {
  switch (channelType) {
    case ChannelType.digitalInput:
      return digitalInput(settings);
    case ChannelType.digitalOutput:
      return digitalOutput(settings, sourceName);
    case ChannelType.vibration:
      return [...measured(settings), ...range(settings), ...limits(settings, false)];
    default:
      return analog(settings);
  }
};

/**
 * The settings of a period as the detail shows them: what the channel's type has and what is set. The names are the specification's,
 * its spelling included. `sourceName` is the name of the channel that drives a digital output. (spec 2 §3)
 */
export const shownSettings = (
  channelType: number,
  settings: ChannelSettings,
  sourceName: string | null = null,
): ShownSetting[] => [...ofType(channelType, settings, sourceName), ...reporting(settings)];
