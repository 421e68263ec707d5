/** Longest time that a calculation holds the event loop before other work has its turn, milliseconds. */
const budget = 2;

/** The time that a long calculation may still take in this turn of the event loop. */
export interface TimeSlice {
  /** Whether it is used up: then await `next`. Asking is cheap, so that it can be asked between any two steps. */
  isUsedUp(): boolean;
  /** Resolves in a later turn of the event loop, after what is waiting now, with a new slice. */
  next(): Promise<void>;
}

/** Without slices a merge or thousands of acknowledgements hold up every console's request, once for each of its statements. */
export const createTimeSlice = (): TimeSlice => {
  let end = performance.now() + budget;
  return {
    isUsedUp: () => performance.now() > end,
    next: () =>
      new Promise((resolve) =>
        setImmediate(() => {
          end = performance.now() + budget;
          resolve();
        }),
      ),
  };
};
