import { ChannelType } from "../domains/channels.ts";
import { analogInput } from "./analog-input.ts";
import { type ChannelTypeDescriptor, zeroToSpan } from "./descriptor.ts";

const { drives: _, ...analog } = analogInput;

/** A register of a third-party motor controller. Its settings come with the model; what is set is shown and judged like an analog value. (spec 2 §9) */
export const modbus: ChannelTypeDescriptor = {
  ...analog,
  type: ChannelType.modbus,
  label: undefined,
  stored: [],
  defaults: {},
  editable: () => [],
  consequences: () => ({}),
  range: zeroToSpan,
};
