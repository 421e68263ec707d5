import { count } from "../../text/counted.ts";
import { monthName, monthOf } from "../../text/months.ts";
import type { AlertReport } from "./report.ts";

/** A figure of the report beside its target. */
export interface ReportFigure {
  label: string;
  value: string;
  /** After the value; empty for a count. */
  unit: string;
  /** The target, by how much it is missed, or a remark where there is no target. */
  target: string;
  /** `none` where there is no target, or nothing to compare with it. */
  outcome: "met" | "missed" | "none";
  /** Length of the bar, 0 to 1. */
  share: number;
  /** Where on the bar the target is, 0 to 1; null without one. */
  mark: number | null;
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

/** One decimal below 10; not 0 where there is a little. */
const decimal = (value: number): string => {
  if (value > 0 && value < 0.1) return "<0.1";
  return value < 10 ? String(Math.round(value * 10) / 10) : count(Math.round(value));
};

/** 3:20 min, 2:05 h. */
const lengthOf = (seconds: number): { value: string; unit: string } => {
  const whole = Math.round(seconds);
  const [large, small, unit] =
    whole < 3600 ? [whole / 60, whole % 60, "min"] : [whole / 3600, Math.floor((whole % 3600) / 60), "h"];
  return { value: `${Math.floor(large)}:${String(small).padStart(2, "0")}`, unit };
};

interface Compared {
  label: string;
  value: number;
  unit?: string;
  target: string;
  /** What is said beside a value that misses it. */
  missed: string;
  isMet: boolean;
  /** The value at the bar's end, and at its mark. */
  scale: number;
  at: number;
}

const compared = ({ label, value, unit = "", target, missed, isMet, scale, at }: Compared): ReportFigure => ({
  label,
  value: decimal(value),
  unit,
  target: isMet ? target : missed,
  outcome: isMet ? "met" : "missed",
  share: Math.min(1, value / scale),
  mark: Math.min(1, at / scale),
});

/** Up to 6 meets the target; up to 12 is still manageable. */
const rateOf = ({ perHour }: AlertReport): ReportFigure => {
  const rate = compared({
    ...{ label: "Alerts an operator hour", value: perHour, target: "≤ 6, at most 12", missed: "over 12" },
    ...{ isMet: perHour <= 12, scale: 12, at: 6 },
  });
  return perHour > 6 && perHour <= 12 ? { ...rate, target: "over 6, at most 12", outcome: "none" } : rate;
};

/** A share of which less than 1 % is the target. */
const underOne = (label: string, value: number): ReportFigure =>
  compared({ label, value, unit: "%", target: "< 1 %", missed: "1 % and over", isMet: value < 1, scale: 1, at: 1 });

const confirmOf = ({ confirmSeconds, confirmSecondsP1 }: AlertReport): ReportFigure => {
  const p1 = confirmSecondsP1 === null ? undefined : lengthOf(confirmSecondsP1);
  return {
    label: "Median time to confirm",
    ...(confirmSeconds === null ? { value: "--", unit: "" } : lengthOf(confirmSeconds)),
    target: p1 ? `P1 in ${p1.value} ${p1.unit}` : "",
    outcome: "none",
    share: Math.min(1, (confirmSeconds ?? 0) / 600),
    mark: null,
  };
};

const fleetingOf = ({ fleeting, total }: AlertReport): ReportFigure => ({
  label: "Fleeting, under a minute",
  value: count(fleeting),
  unit: "",
  target: `${decimal(percent(fleeting, total))} % of all`,
  outcome: "none",
  share: percent(fleeting, total) / 100,
  mark: null,
});

/** The percentages of P1, P2 and P3 in whole numbers that make 100 together; zeros without alerts. */
export const prioritiesInPercent = ({ priorities, total }: AlertReport): [number, number, number] => {
  const exact = priorities.map((part) => percent(part, total));
  const whole = exact.map(Math.floor);
  const left = total === 0 ? 0 : 100 - whole.reduce((sum, part) => sum + part, 0);
  const byRest = exact.map((part, at) => [part - Math.floor(part), at] as const).toSorted(([a], [b]) => b - a);
  for (const [, at] of byRest.slice(0, left)) whole[at] = (whole[at] ?? 0) + 1;
  const [first = 0, second = 0, third = 0] = whole;
  return [first, second, third];
};

/** About 5, 15 and 80: each may differ by this many percent. */
const aboutPriorities = [5, 15, 80] as const;
const about = 5;

const prioritiesOf = (report: AlertReport): ReportFigure => {
  const shares = prioritiesInPercent(report);
  const isMet = shares.every((share, at) => Math.abs(share - (aboutPriorities[at] ?? 0)) <= about);
  const target = aboutPriorities.join(" / ");
  const outcome = isMet ? "met" : "missed";
  return {
    label: "P1 / P2 / P3, %",
    value: shares.join(" / "),
    unit: "",
    target: isMet ? target : `not about ${target}`,
    outcome: report.total === 0 ? "none" : outcome,
    share: 1,
    mark: null,
  };
};

const allOf = ({ total, totalBefore, month }: AlertReport): ReportFigure => {
  const most = Math.max(total, totalBefore ?? 0, 1) / 0.9;
  return {
    label: "Alerts, all",
    value: count(total),
    unit: "",
    target: totalBefore === null ? "" : `${count(totalBefore)} in ${monthName(monthOf(month) - 1)}`,
    outcome: "none",
    share: total / most,
    mark: totalBefore === null ? null : totalBefore / most,
  };
};

/** The report's ten figures beside their targets, in the order in which they are shown. */
export const reportFigures = (report: AlertReport): ReportFigure[] => {
  const { busyPeriods, periods, floodSeconds, from, to, total, frequentTotal, chatteringRules, stale } = report;
  const frequent = percent(frequentTotal, total);
  return [
    rateOf(report),
    underOne("10 min with more than 10", percent(busyPeriods, periods)),
    underOne("Time in flood", percent(floodSeconds * 1000, to.getTime() - from.getTime())),
    compared({
      ...{ label: "Ten most frequent", value: frequent, unit: "%", target: "≤ 5 %", missed: "over 5 %" },
      ...{ isMet: frequent <= 5, scale: 100, at: 5 },
    }),
    confirmOf(report),
    compared({
      ...{ label: "Chattering, 3 a minute", value: chatteringRules, target: "none", missed: "over 0" },
      ...{ isMet: chatteringRules === 0, scale: 10, at: 0 },
    }),
    fleetingOf(report),
    compared({
      ...{ label: "Stale, over 24 h", value: stale, target: "< 5", missed: "5 and more" },
      ...{ isMet: stale < 5, scale: 5, at: 5 },
    }),
    prioritiesOf(report),
    allOf(report),
  ];
};
