import { Analog, ReadingStatus } from "@telltale/contract/channels";

/** A value as it is shown: `text` and, lighter beside it, `unit`. Without data the text is N/A and there is no unit. */
export interface ShownValue {
  text: string;
  unit: string;
}

/** What stands for a value that there is not. (spec 1 §2) */
export const noValue: ShownValue = { text: "N/A", unit: "" };

/** From here on a figure is written with an exponent: it would outgrow every tile. */
const largest = 1e12;

/** A number with a fixed count of decimals, so that figures hold still; never `-0.00`. */
export const withDecimals = (value: number, decimals: number): string => {
  if (Math.abs(value) >= largest) return value.toExponential(3);
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
};

/** Units so fine that decimals of them say nothing. */
const wholeUnits: ReadonlySet<string> = new Set(["mg", "rpm"]);

const decimalsOf = (analogId: number, unit: string): number =>
  analogId === Analog.countingInput || wholeUnits.has(unit.trim().toLowerCase()) ? 0 : 2;

/** Whether a channel of this analog type is shown as a lamp, ON or OFF. (spec 1 §2) */
export const isSwitch = (analogId: number): boolean =>
  analogId === Analog.digitalInput || analogId === Analog.digitalOutput;

/** Whether a switch's value means ON. */
export const isOn = (value: number): boolean => value > 0;

/** Whether there is nothing to show: no value yet, or status 2, which wins over any last value. (spec 1 §4) */
export const isNoData = (reading: { value: number | null; status: number }): boolean =>
  reading.value === null || reading.status === ReadingStatus.noData;

/** What a reading of a channel is shown by; the unit is the channel's own. */
export interface ChannelReading {
  value: number | null;
  status: number;
  unit: string;
  channelAnalogId: number;
}

/** A channel's value: ON/OFF for switches, whole numbers for counts, mg and rpm, 2 decimals for the rest. */
export const channelValue = ({ value, status, unit, channelAnalogId }: ChannelReading): ShownValue => {
  if (value === null || isNoData({ value, status })) return noValue;
  if (isSwitch(channelAnalogId)) return { text: isOn(value) ? "ON" : "OFF", unit: "" };
  return { text: withDecimals(value, decimalsOf(channelAnalogId, unit)), unit };
};
