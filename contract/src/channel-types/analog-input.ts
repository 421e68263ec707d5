import { type ChannelSettings, ChannelType, SensorType, SourceType, ValueForm } from "../domains/channels.ts";
import { allOf, type ChannelTypeDescriptor, editableOf, highLimit, lowLimit, zeroToSpan } from "./descriptor.ts";
import { alarmPairs, Key } from "./keys.ts";
import { ntcRange } from "./options.ts";
import { scaleAnalog, unscaleAnalog } from "./scaling.ts";

const isNtc = ({ sensorType }: ChannelSettings): boolean => sensorType === SensorType.ntc;

/** A current, voltage or thermistor input, or the unit's built-in sensor. (spec 2 §4) */
export const analogInput: ChannelTypeDescriptor = {
  type: ChannelType.analogInput,
  label: "AI",
  stored: [
    Key.inputSensorType,
    Key.valueForm,
    Key.ntcType,
    Key.analog,
    Key.unit,
    Key.zero,
    Key.span,
    ...alarmPairs.flatMap(allOf),
  ],
  defaults: { valueForm: ValueForm.engineering },
  editable: (keys, isBuiltIn) => {
    const limits = alarmPairs.flatMap((pair) => editableOf(keys, pair));
    if (isBuiltIn) return [Key.zero, Key.span, ...limits];
    // A thermistor's range comes from its table, so its type is shown instead of ZERO and SPAN. (spec 2 §4)
    const ends = keys[Key.inputSensorType] === SensorType.ntc ? [Key.ntcType] : [Key.zero, Key.span];
    return [Key.inputSensorType, Key.valueForm, Key.analog, Key.unit, ...ends, ...limits];
  },
  shown: (settings) => [
    Key.inputSensorType,
    // Shown only when electrical: engineering units are the default.
    ...(settings.valueForm === ValueForm.electrical ? [Key.valueForm] : []),
    Key.analog,
    Key.unit,
    ...(isNtc(settings) ? [Key.ntcType] : [Key.zero, Key.span]),
    ...alarmPairs.flatMap(allOf),
  ],
  // A thermistor's ZERO and SPAN are the ends of its table. (spec 2 §4)
  consequences: (settings) => (isNtc(settings) ? { zero: ntcRange.min, span: ntcRange.max } : {}),
  limits: [lowLimit, highLimit],
  range: (settings) =>
    isNtc(settings) ? { zero: ntcRange.min, span: ntcRange.max, isDiscrete: false } : zeroToSpan(settings),
  scale: scaleAnalog,
  unscale: unscaleAnalog,
  isDiscrete: false,
  drives: ({ higherAlarm, lowerAlarm }) => ({
    [SourceType.high]: higherAlarm !== undefined,
    [SourceType.low]: lowerAlarm !== undefined,
  }),
};
