import { ChannelType } from "../domains/channels.ts";
import { analogInput } from "./analog-input.ts";
import { type ChannelTypeDescriptor, zeroToSpan } from "./descriptor.ts";

const { drives: _, ...analog } = analogInput;

/**
 * A register of a third-party motor controller. Its settings are predefined by the model; they are shown and evaluated like those of an analog
 * input. (spec 2 §9)
 */
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
