import { ChannelType } from "../domains/channels.ts";
import { type ChannelTypeDescriptor, highLimit, inChannelUnit, zeroToSpan } from "./descriptor.ts";
import { Key } from "./keys.ts";

const own = [Key.zero, Key.span, Key.higherAlarm, Key.higherHysteresis];

/** An axis of a vibration sensor. It has no Lower Alarm. (spec 2 §5) */
export const vibration: ChannelTypeDescriptor = {
  type: ChannelType.vibration,
  label: "VIBRATION",
  stored: [Key.analog, Key.unit, ...own],
  defaults: {},
  editable: () => own,
  shown: () => [Key.analog, Key.unit, ...own],
  consequences: () => ({}),
  limits: [highLimit],
  range: zeroToSpan,
  ...inChannelUnit,
  isDiscrete: false,
};
