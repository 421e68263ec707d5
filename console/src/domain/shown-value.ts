import { isStepped } from "@telltale/contract/channel-types/index";
import { Analog, type ChannelRow, ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import { isCounting } from "./channel-settings.ts";
import { channelValue, isSwitch, modbusValue, type ShownValue } from "./value.ts";

/** Analog values are interpolated, counts and registers are steps, a switch has two states, 0 and above. */
export type LineKind = "slope" | "steps" | "switch";

interface Reading {
  value: number | null;
  status: number;
  unit: string;
}

/** What readings of a time depend on: their unit, unless that is not known yet, and the mode of a digital input. */
interface Then {
  unit: string | undefined;
  inputMode: number | null;
}

/** A channel as it was when its readings were taken: its settings may have changed since. */
export const channelThen = <C extends ChannelRow>(channel: C, { unit = channel.unit, inputMode }: Then): C => {
  if (channel.channelType !== ChannelType.digitalInput || inputMode === null) return { ...channel, unit };
  return { ...channel, unit, channelAnalogId: isCounting(inputMode) ? Analog.countingInput : Analog.digitalInput };
};

/** A reading of a channel as text: registers of a modbus device have their own formats. */
export const shownValue = (channel: ChannelRow, reading: Reading): ShownValue =>
  channel.channelType === ChannelType.modbus
    ? modbusValue({ ...reading, channelCn: channel.channelCn, channelName: channel.channelName })
    : channelValue({ ...reading, channelAnalogId: channel.channelAnalogId });

/** A stored value with its unit as one text. */
export const valueText = (channel: ChannelRow, value: number, unit = channel.unit): string => {
  const shown = shownValue(channel, { value, status: ReadingStatus.good, unit });
  return shown.unit === "" ? shown.text : `${shown.text} ${shown.unit}`;
};

/** The texts of a register's first values: those of two states are two. */
const stateTextsOf = (channel: ChannelRow): string[] => [0, 1, 2, 3].map((value) => valueText(channel, value));

/** A register holds its value until the next report: a motor that starts is at its current at once. */
const registerKind = (channel: ChannelRow): LineKind =>
  new Set(stateTextsOf(channel)).size === 2 ? "switch" : "steps";

/** How a channel's line is drawn: a two-state value as a switch, any other digital value or register as steps. */
export const lineKind = (channel: ChannelRow): LineKind => {
  const { channelAnalogId, channelType } = channel;
  if (isSwitch(channelAnalogId)) return "switch";
  if (channelType === ChannelType.modbus) return registerKind(channel);
  return isStepped(channelType) ? "steps" : "slope";
};
