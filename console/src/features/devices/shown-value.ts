import type { ChannelRow } from "@telltale/contract/channels";
import { ChannelType, ReadingStatus } from "@telltale/contract/channels";
import { modbusValue } from "../../format/modbus-value.ts";
import { channelValue, isSwitch, type ShownValue } from "../../format/value.ts";
import type { LineKind } from "./chart/picture.ts";

interface Reading {
  value: number | null;
  status: number;
  unit: string;
}

/** A reading of a channel as text: registers of a modbus device have rules of their own. */
export const shownValue = (channel: ChannelRow, reading: Reading): ShownValue =>
  channel.channelType === ChannelType.modbus
    ? modbusValue({ ...reading, channelCn: channel.channelCn, channelName: channel.channelName })
    : channelValue({ ...reading, channelAnalogId: channel.channelAnalogId });

/** A stored value with its unit in one text. */
export const valueText = (channel: ChannelRow, value: number, unit = channel.unit): string => {
  const shown = shownValue(channel, { value, status: ReadingStatus.good, unit });
  return shown.unit === "" ? shown.text : `${shown.text} ${shown.unit}`;
};

/** How a channel's line runs: a switch is ON or OFF, any other digital value counts in steps. */
export const lineKind = ({ channelAnalogId, channelType }: ChannelRow): LineKind => {
  if (isSwitch(channelAnalogId)) return "switch";
  const isDigital = channelType === ChannelType.digitalInput || channelType === ChannelType.digitalOutput;
  return isDigital ? "steps" : "slope";
};
