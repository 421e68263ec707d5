import { type AlarmTrial, comparedDelays, mostOccurrences } from "@telltale/contract/domains/alerting/trial";
import { ReadingStatus } from "@telltale/contract/domains/channels";
import {
  atRest,
  type Reading,
  type Rule,
  type RuleState,
  step,
  type Transition,
  tick,
  turn,
} from "../../alarms/evaluate.ts";
import type { GateTurn } from "./gate-turns.ts";

const day = 86_400_000;
const minute = 60_000;

/** An alert that a rule would have raised; `to` is undefined while it stands. Epoch milliseconds. */
export interface Occurrence {
  from: number;
  to: number | undefined;
}

/** The state at rest as the one object that `step` passes by at once: since when it rests does not matter to readings in order. */
const settled = (state: RuleState): RuleState =>
  state.isOpen || state.holds || state.counted.length > 0 || state.memory !== null || state.gate !== null
    ? state
    : atRest;

/** Runs a rule over readings given in their order, as the server does when they arrive. */
const createRun = (rule: Rule) => {
  const occurrences: Occurrence[] = [];
  let state: RuleState = atRest;
  let newest: Reading = { ts: Number.NEGATIVE_INFINITY, value: 0, status: ReadingStatus.noData };
  const note = (transitions: readonly Transition[]): void => {
    for (const { kind, at } of transitions) {
      const last = occurrences.at(-1);
      if (kind === "raise") occurrences.push({ from: at, to: undefined });
      else if (last) last.to = at;
    }
  };
  return {
    occurrences,
    /** Whether nothing is open or pending, so that only a reading beyond the limit would change the state. */
    isAtRest: (): boolean => !state.isOpen && !state.holds && state.memory === null && !state.gate?.isMet,
    turn: (gate: GateTurn): void => {
      const outcome = turn(rule, state, newest, gate);
      state = outcome.state;
      note(outcome.transitions);
    },
    read: (reading: Reading): void => {
      const outcome = step(rule, state, newest, reading);
      state = settled(outcome.state);
      if (outcome.transitions.length > 0) note(outcome.transitions);
      newest = reading;
    },
    /** No reading has come until now. */
    end: (now: number): void => note(tick(rule, state, newest, now).transitions),
  };
};

const summary = (occurrences: readonly Occurrence[], now: number, days: number) => {
  const lengths = occurrences.map(({ from, to }) => (to ?? now) - from);
  const perDay = new Array<number>(days).fill(0);
  for (const { from } of occurrences) {
    const index = days - 1 - Math.floor((now - from) / day);
    if (perDay[index] !== undefined) perDay[index] += 1;
  }
  return {
    total: occurrences.length,
    perDay,
    inAlarmSeconds: lengths.reduce((sum, length) => sum + length, 0) / 1000,
    // Not by `Math.max(...lengths)`: a rule that chatters has more occurrences than a call takes arguments.
    longestSeconds: lengths.reduce((longest, length) => Math.max(longest, length), 0) / 1000,
    underAMinute: occurrences.filter(({ from, to }) => to !== undefined && to - from < minute).length,
  };
};

/** The newest ones, as the call tells them. */
const shown = (occurrences: readonly Occurrence[]) =>
  occurrences
    .slice(-mostOccurrences)
    .map(({ from, to }) => ({ from: new Date(from), to: to === undefined ? null : new Date(to) }));

/** What these occurrences come to, as of `now`. */
export const trialOf = (occurrences: readonly Occurrence[], now: number, days: number) => ({
  ...summary(occurrences, now, days),
  occurrences: shown(occurrences),
});

/**
 * Finds where nothing came for the window while the rule's gate was open: `read` each time in order, `turn` the gate, then ask for the gaps as of `now`.
 * Each begins a window after its reading.
 */
export const createGaps = ({ window, gate }: Pick<Rule, "window" | "gate">) => {
  const gaps: Occurrence[] = [];
  let readings = 0;
  /** Since when nothing has come; undefined while the gate is shut, and before the first reading. */
  let last: number | undefined;
  /** When the gate had been open for its start-up time; infinity while it is shut. */
  let armed = gate ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const read = (ts: number | undefined, now: number): void => {
    if (last !== undefined && now - last >= window) gaps.push({ from: last + window, to: ts });
  };
  return {
    read: ({ ts }: Reading): void => {
      read(ts, ts);
      last = Number.isFinite(armed) || !gate ? Math.max(ts, armed) : undefined;
      readings += 1;
    },
    turn: ({ ts, isOpen }: GateTurn): void => {
      read(ts, ts);
      armed = isOpen && gate ? ts + gate.startUp : Number.POSITIVE_INFINITY;
      last = isOpen ? armed : undefined;
    },
    result: (now: number) => {
      read(undefined, now);
      return { gaps, readings };
    },
  };
};

/** A rule that is being tried. */
export type Trial = ReturnType<typeof createTrial>;

/** Tries a rule on readings, given in the order of their times: `read` each, then ask for the `result` as of `now`. */
export const createTrial = (rule: Rule) => {
  const own = createRun(rule);
  const others = comparedDelays.map((seconds) => ({ seconds, run: createRun({ ...rule, onDelay: seconds * 1000 }) }));
  let readings = 0;
  return {
    read: (reading: Reading): void => {
      readings += 1;
      own.read(reading);
      for (const { run } of others) run.read(reading);
    },
    turn: (gate: GateTurn): void => {
      own.turn(gate);
      for (const { run } of others) run.turn(gate);
    },
    /** Whether readings that leave the rule at rest change nothing. */
    isAtRest: (): boolean => own.isAtRest() && others.every(({ run }) => run.isAtRest()),
    /** Counts readings that change nothing. */
    skip: (count: number): void => {
      readings += count;
    },
    result: (now: number, days: number): AlarmTrial => {
      own.end(now);
      for (const { run } of others) run.end(now);
      const withDelay = others.map(({ seconds, run: { occurrences } }) => ({
        seconds,
        total: occurrences.length,
        occurrences: shown(occurrences),
      }));
      return { ...trialOf(own.occurrences, now, days), withDelay, readings };
    },
  };
};
