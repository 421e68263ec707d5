import { ChannelType } from "../domains/channels.ts";
import { allOf, type ChannelTypeDescriptor, editableOf, highLimit, inChannelUnit, zeroToSpan } from "./descriptor.ts";
import { alarmPairs, Key } from "./keys.ts";

const [, higher] = alarmPairs;
const own = [Key.analog, Key.unit, Key.zero, Key.span, ...allOf(higher)];

/** An axis of a vibration sensor. It has no Lower Alarm. (spec 2 §5) */
export const vibration: ChannelTypeDescriptor = {
  type: ChannelType.vibration,
  label: "VIBRATION",
  stored: own,
  defaults: {},
  editable: (keys) => [Key.zero, Key.span, ...editableOf(keys, higher)],
  shown: () => own,
  consequences: () => ({}),
  limits: [highLimit],
  range: zeroToSpan,
  ...inChannelUnit,
  isDiscrete: false,
};
