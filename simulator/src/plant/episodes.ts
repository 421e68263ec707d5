import { between, type Random, random, seedFor } from "./random.ts";
import type { PumpNumber } from "./signals.ts";
import { type Influence, noInfluence } from "./station.ts";

/** Faults that can occur in the plant. */
export const Fault = {
  /** A discharge valve closes while a pump runs: the pressure rises towards the pump's shut-off head. */
  overPressure: "over-pressure",
  /** More rain than both pumps can handle. */
  storm: "storm",
  /** Debris lifts the float switch. */
  floatLifted: "float switch lifted",
  doorOpen: "door left open",
  /** A pump's drive-end bearing wears out and is replaced at the end. */
  bearingWear: "bearing wear",
  /** A sub-device's battery collapses and is replaced at the end. */
  lowBattery: "low battery",
  /** A sub-device's radio link is gone. */
  lostLink: "lost link",
  /** The wire of a temperature probe breaks. */
  openCircuit: "open circuit",
} as const;
export type Fault = (typeof Fault)[keyof typeof Fault];

/** One occurrence, from and to in epoch milliseconds. `choice` in [0, 1) selects the affected device or part. */
export interface Episode {
  fault: Fault;
  from: number;
  to: number;
  choice: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Frequency of each fault (mean time between occurrences, ms) and its duration. */
const habits: { fault: Fault; every: number; shortest: number; longest: number }[] = [
  { fault: Fault.overPressure, every: 5 * day, shortest: 2 * minute, longest: 9 * minute },
  { fault: Fault.storm, every: 11 * day, shortest: hour, longest: 3 * hour },
  { fault: Fault.floatLifted, every: 9 * day, shortest: 3 * minute, longest: 20 * minute },
  { fault: Fault.doorOpen, every: 13 * day, shortest: 15 * minute, longest: hour },
  { fault: Fault.bearingWear, every: 14 * day, shortest: 18 * day, longest: 26 * day },
  { fault: Fault.lostLink, every: 22 * day, shortest: 50 * minute, longest: 4 * hour },
  { fault: Fault.openCircuit, every: 28 * day, shortest: 12 * minute, longest: hour },
];

/** Random episodes between two times: seeded, never two of a kind at once. */
export const usualEpisodes = (seed: number, from: number, to: number): Episode[] =>
  habits.flatMap(({ fault, every, shortest, longest }) => {
    const draw = random(seedFor(seed, fault));
    const episodes: Episode[] = [];
    let at = from + every * between(draw, 0.2, 0.9);
    for (;;) {
      const end = at + between(draw, shortest, longest);
      if (end >= to) return episodes;
      episodes.push({ fault, from: at, to: end, choice: draw() });
      at = end + every * (0.25 + 0.75 * -Math.log(1 - draw() * 0.95));
    }
  });

/** Schedule of a demonstration's first hours, in minutes from its start: something to see at once, everything within two hours. */
const programme: [fault: Fault, start: number, end: number][] = [
  [Fault.overPressure, 0.1, 3.2],
  [Fault.doorOpen, 0.6, 2.4],
  [Fault.floatLifted, 0.8, 4],
  [Fault.bearingWear, 4, 150],
  [Fault.lowBattery, 8, 95],
  [Fault.lostLink, 14, 55],
  [Fault.openCircuit, 24, 31],
  [Fault.storm, 62, 130],
];

/** The schedule repeats every three hours; over-pressure and float switch occur more often. */
const round = 180;
const often: [fault: Fault, start: number, end: number][] = [
  [Fault.overPressure, 41, 46],
  [Fault.overPressure, 97, 101],
  [Fault.floatLifted, 75, 82],
  [Fault.overPressure, 151, 157],
  [Fault.doorOpen, 117, 133],
];

const lively = (draw: Random, start: number, rounds: number): Episode[] =>
  Array.from({ length: rounds }, (_, number) => {
    // Only the first round is on schedule: later ones get a random delay.
    const late = () => (number === 0 ? 0 : between(draw, 0, 12));
    return [...programme, ...often].map(([fault, from, to]) => {
      const offset = start + (number * round + late()) * minute;
      return { fault, from: offset + from * minute, to: offset + to * minute, choice: draw() };
    });
  }).flat();

/** Episodes of a demonstration that goes live at `start` (epoch milliseconds) and lasts `days`. */
export const demonstrationEpisodes = (seed: number, start: number, days = 30): Episode[] =>
  lively(random(seedFor(seed, "live")), start, Math.ceil((days * day) / (round * minute)));

/** Damage accelerates; at 85 % of the episode the bearing has failed, and runs on until it is replaced. */
const wearAt = ({ from, to }: Episode, ts: number): number => {
  const share = Math.min(1, (ts - from) / (to - from) / 0.85);
  return 0.05 + 0.95 * share ** 3;
};

/** Which of `count` candidates an episode affects. */
export const chosen = ({ choice }: Episode, count: number): number => Math.min(count - 1, Math.floor(choice * count));

/** The effect of the current episodes on the station. Bearings wear at one of `watched`, the pumps with a vibration sensor. */
export const influenceOf = (
  active: readonly Episode[],
  ts: number,
  watched: readonly PumpNumber[] = [0, 1],
): Influence => {
  if (active.length === 0) return noInfluence;
  const wear: [number, number] = [...noInfluence.wear];
  let influence = noInfluence;
  for (const episode of active) {
    if (episode.fault === Fault.overPressure) influence = { ...influence, valve: 1, isForced: true };
    else if (episode.fault === Fault.storm) influence = { ...influence, storm: 1 };
    else if (episode.fault === Fault.floatLifted) influence = { ...influence, isFloatLifted: true };
    else if (episode.fault === Fault.doorOpen) influence = { ...influence, isDoorHeldOpen: true };
    else if (episode.fault === Fault.bearingWear) {
      wear[watched[chosen(episode, watched.length)] ?? 0] = wearAt(episode, ts);
    }
  }
  return { ...influence, wear };
};

/** Tracks a list of episodes through time: `at` returns the current ones; time must not run backwards. */
export const createCalendar = (episodes: Episode[]): { at: (ts: number) => readonly Episode[] } => {
  const ahead = [...episodes].sort((a, b) => a.from - b.from);
  let active: Episode[] = [];
  let next = 0;
  let change = Number.NEGATIVE_INFINITY;
  return {
    at(ts) {
      if (ts < change) return active;
      active = active.filter((episode) => episode.to > ts);
      for (let head = ahead[next]; head && head.from <= ts; head = ahead[next]) {
        if (head.to > ts) active.push(head);
        next++;
      }
      change = Math.min(ahead[next]?.from ?? Number.POSITIVE_INFINITY, ...active.map((episode) => episode.to));
      return active;
    },
  };
};
