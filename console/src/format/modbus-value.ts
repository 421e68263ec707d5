import { isNoData, noValue, type ShownValue, withDecimals } from "./value.ts";

/** One register of a modbus device, known by its keyword. */
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

/** Minutes in one of the register's unit; without a unit it counts minutes. */
const minutesIn = (unit: string): number => {
  if (/^s/i.test(unit)) return 1 / 60;
  return /^h/i.test(unit) ? 60 : 1;
};

const runTime: Rule = (value, unit) => {
  const minutes = Math.max(0, Math.floor(value * minutesIn(unit) + 1e-9));
  return { text: `${Math.floor(minutes / 60)} hrs ${minutes % 60} min`, unit: "" };
};

/** How each register is shown, by its keyword in `plain` spelling. (spec 1 §5) */
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

/** Keywords are compared by their letters and digits alone: `I A`, `I_A` and `iA` are one register. */
const plain = (keyword: string): string => keyword.toLowerCase().replace(/[^a-z0-9]/g, "");

/** A register's value as the tiles and lists show it; a keyword that is not known is looked up by the register's name. */
export const modbusValue = ({ channelCn, channelName, value, status, unit }: ModbusReading): ShownValue => {
  if (value === null || isNoData({ value, status })) return noValue;
  const rule = rules.get(plain(channelCn)) ?? rules.get(plain(channelName)) ?? otherRule;
  return rule(value, unit);
};
