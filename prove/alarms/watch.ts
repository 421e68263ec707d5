/** What a device's custom alarm looks at: a High limit with delays, in milliseconds of device time. */
export interface Watch {
  code: string;
  name: string;
  /** The condition must hold for so long, and be gone for so long. */
  onDelay: number;
  offDelay: number;
  /** The alarm is raised by so many occurrences within the window. */
  times: number;
  window: number;
}

const second = 1_000;

/** The limit of every alarm, a value beyond it, and one that is not. */
export const [limit, beyond, usual] = [60, 65, 20] as const;

/** Of AI1 the device sends each value again and again, so that mostly a reading finds that a delay has ended; of AI2 only changes, so that mostly a timer does. */
export const watches: readonly Watch[] = [
  { code: "AI1", name: "By readings", onDelay: 3 * second, offDelay: 2 * second, times: 1, window: 0 },
  { code: "AI2", name: "By timers", onDelay: 5 * second, offDelay: 4 * second, times: 1, window: 0 },
  { code: "AI3", name: "Three times", onDelay: second, offDelay: 0, times: 3, window: 60 * second },
];

/** A channel that nothing watches: the device goes on with it. */
export const unwatched = "AI4";
/** The channel of which the device sends changes only. */
export const sparse = "AI2";
