import { AlertType } from "../domains/alerts.ts";
import { Analog, ChannelType, InputMode, SourceType } from "../domains/channels.ts";
import { type ChannelTypeDescriptor, inChannelUnit, isGiven, levels } from "./descriptor.ts";
import { Key } from "./keys.ts";
import { CountingEdge, DigitalSensor, defaultDebounce } from "./options.ts";

const { statusLog, digital, counting } = InputMode;
const alarm = { setpoint: "alarmData", onDelay: "alarmDelay" } as const;

/** A contact, or a pulse counter. (spec 2 §5) */
export const digitalInput: ChannelTypeDescriptor = {
  type: ChannelType.digitalInput,
  label: "DI",
  stored: [Key.sensorType, Key.inputMode, Key.on, Key.countingEdge, Key.alarmData, Key.alarmDelay, Key.debounce],
  defaults: {
    sensorType: DigitalSensor.dryContact,
    inputMode: digital,
    userDefinedOn: 1,
    countingEdge: CountingEdge.rising,
    debounce: defaultDebounce,
  },
  editable: (keys) => {
    const mode = keys[Key.inputMode];
    const ofAlarm = isGiven(keys, Key.alarmData) ? [Key.alarmData, Key.alarmDelay] : [Key.alarmData];
    return [
      Key.sensorType,
      Key.inputMode,
      Key.on,
      ...(mode === counting ? [Key.countingEdge] : []),
      ...(mode === statusLog ? [] : ofAlarm),
      // Input mode 2 hides Debounce(ms). (spec 2 §5)
      ...(mode === digital ? [] : [Key.debounce]),
    ];
  },
  shown: ({ inputMode }) => [
    Key.sensorType,
    Key.inputMode,
    Key.on,
    ...(inputMode === counting ? [Key.countingEdge] : []),
    Key.alarmData,
    Key.alarmDelay,
    ...(inputMode === digital ? [] : [Key.debounce]),
  ],
  consequences: ({ inputMode }) => ({
    analogId: inputMode === counting ? Analog.countingInput : Analog.digitalInput,
  }),
  limits: [
    { alarmType: AlertType.digitalInput, ...alarm, when: { field: "inputMode", is: digital } },
    { alarmType: AlertType.counting, ...alarm, when: { field: "inputMode", is: counting } },
  ],
  // Any mode other than Status Log and DI counts, and a count has no upper bound. (spec 1 §4)
  range: ({ inputMode }) => (inputMode === statusLog || inputMode === digital ? levels : { ...levels, span: null }),
  ...inChannelUnit,
  isDiscrete: true,
  // A counter alarms when its count is reached; a contact at the configured level.
  drives: ({ inputMode, alarmData }) => {
    const isSet = alarmData !== undefined && inputMode !== statusLog;
    const isHigh = inputMode === counting || (alarmData ?? 0) > 0;
    return { [SourceType.high]: isSet && isHigh, [SourceType.low]: isSet && !isHigh };
  },
};
