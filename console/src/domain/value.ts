import { Analog, ReadingStatus } from "@telltale/contract/domains/channels";
import { withDecimals } from "../ui/format/decimals.ts";

/** A formatted value: `text` and, lighter beside it, `unit`. Without data the text is N/A and the unit is empty. */
export interface ShownValue {
  text: string;
  unit: string;
}

/** Shown for a missing value. (spec 1 §2) */
export const noValue: ShownValue = { text: "N/A", unit: "" };

/** Units small enough that decimals are meaningless. */
const wholeUnits: ReadonlySet<string> = new Set(["mg", "rpm"]);

const decimalsOf = (analogId: number, unit: string): number =>
  analogId === Analog.countingInput || wholeUnits.has(unit.trim().toLowerCase()) ? 0 : 2;

/** Whether a channel of this analog type is shown as a lamp, ON or OFF. (spec 1 §2) */
export const isSwitch = (analogId: number): boolean =>
  analogId === Analog.digitalInput || analogId === Analog.digitalOutput;

/** Whether a switch's value means ON. */
export const isOn = (value: number): boolean => value > 0;

/** Whether there is nothing to show: no value yet, or status 2, which overrides the last value. (spec 1 §4) */
export const isNoData = (reading: { value: number | null; status: number }): boolean =>
  reading.value === null || reading.status === ReadingStatus.noData;

/** What formatting a channel's reading requires; the unit is the channel's own. */
export interface ChannelReading {
  value: number | null;
  status: number;
  unit: string;
  channelAnalogId: number;
}

/** Formats a channel's value: ON/OFF for switches, whole numbers for counts, mg and rpm, 2 decimals for the rest. */
export const channelValue = ({ value, status, unit, channelAnalogId }: ChannelReading): ShownValue => {
  if (value === null || isNoData({ value, status })) return noValue;
  if (isSwitch(channelAnalogId)) return { text: isOn(value) ? "ON" : "OFF", unit: "" };
  return { text: withDecimals(value, decimalsOf(channelAnalogId, unit)), unit };
};

/** One register of a modbus device, identified by its keyword. */
export interface ModbusReading {
  channelCn: string;
  channelName: string;
  value: number | null;
  status: number;
  unit: string;
}

type Rule = (value: number, unit: string) => ShownValue;

const word =
  (when: (value: number) => boolean, yes: string, no: string): Rule =>
  (value) => ({ text: when(value) ? yes : no, unit: "" });

const decimals =
  (count: number): Rule =>
  (value, unit) => ({ text: withDecimals(value, count), unit });

const above0 = (value: number) => value > 0;
const is0 = (value: number) => value === 0;
const is1 = (value: number) => value === 1;

const detected = word(above0, "YES", "NO");

const frequencySetting: Rule = (value, unit) => ({ text: is1(value) ? "60" : "50", unit });
const fault: Rule = (value) => ({ text: is0(value) ? "0-No" : `${value}-Fail`, unit: "" });
const control: Rule = (value) => ({ text: is0(value) ? "0-ON" : `${value}-OFF`, unit: "" });

/** Minutes per register unit; a register without a unit counts minutes. */
const minutesIn = (unit: string): number => {
  if (/^s/i.test(unit)) return 1 / 60;
  return /^h/i.test(unit) ? 60 : 1;
};

const runTime: Rule = (value, unit) => {
  const minutes = Math.max(0, Math.floor(value * minutesIn(unit) + 1e-9));
  return { text: `${Math.floor(minutes / 60)} hrs ${minutes % 60} min`, unit: "" };
};

/** Format of each register by its keyword in `plain` spelling. (spec 1 §5) */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ["undercurrent", detected],
  ["highinertiaload", detected],
  ["lockedrotor", detected],
  ["thirdfailure", detected],
  ["frequencysetting", frequencySetting],
  ["undercurrentdetection", word(is1, "ON", "OFF")],
  ["undercurrenttype", word(is1, "PF", "IN")],
  ["relaystatus", word(is1, "ON", "OFF")],
  ["startmode", word(is1, "AUTO", "MANUAL")],
  ["fault", fault],
  ["control", control],
  ["runtime", runTime],
  ["frequency", decimals(1)],
  ["ia", decimals(1)],
  ["ib", decimals(1)],
  ["ic", decimals(1)],
  ["realpower", decimals(1)],
  ["reactivepower", decimals(1)],
  ["powerfactor", decimals(2)],
]);

const otherRule = decimals(2);

/** Keywords are compared by letters and digits only: `I A`, `I_A` and `iA` are the same register. */
const plain = (keyword: string): string => keyword.toLowerCase().replace(/[^a-z0-9]/g, "");

/** A register's value as tiles and lists show it; an unknown keyword is looked up by the register's name. */
export const modbusValue = ({ channelCn, channelName, value, status, unit }: ModbusReading): ShownValue => {
  if (value === null || isNoData({ value, status })) return noValue;
  const rule = rules.get(plain(channelCn)) ?? rules.get(plain(channelName)) ?? otherRule;
  return rule(value, unit);
};
