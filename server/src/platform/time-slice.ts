/**
 * Longest time in one turn of the event loop for all work that is done in slices, milliseconds: devices' packets, acknowledgements, merging, packing.
 * A console's request needs several turns, one for each answer of the database.
 */
const budget = 2;
/** Longest time for which a calculation goes on where it was begun, milliseconds. */
const atFirst = 1;

type Work = (end: number) => void;

/** Work that waits for a turn. */
const queue: Work[] = [];
/** When the slices of this turn end; undefined while none has begun. Times are from `performance.now()`. */
let endOfTurn: number | undefined;

const serve = (): void => {
  if (endOfTurn === undefined) {
    endOfTurn = performance.now() + budget;
    // Runs in the next turn, before whoever has waited in vain in this one.
    setImmediate(() => {
      endOfTurn = undefined;
    });
  }
  if (performance.now() < endOfTurn) queue.shift()?.(endOfTurn);
  else setImmediate(serve);
};

/** Calls `work` in a turn of the event loop that has time left, first come, first served. It gets the time at which it has to end. */
export const inTurn = (work: Work): void => {
  queue.push(work);
  setImmediate(serve);
};

/** The time that a long calculation may still take in this turn of the event loop. */
export interface TimeSlice {
  /** Whether it is used up: then await `next`. Asking is cheap, so that it can be asked between any two steps. */
  isUsedUp(): boolean;
  /** Resolves in a later turn of the event loop, after what is waiting now, with a new slice. */
  next(): Promise<void>;
}

/** Without slices a merge or thousands of acknowledgements hold up every console's request, once for each of its statements. */
export const createTimeSlice = (): TimeSlice => {
  let end = performance.now() + atFirst;
  return {
    isUsedUp: () => performance.now() > end,
    next: () =>
      new Promise((resolve) =>
        inTurn((endOfTurn) => {
          end = endOfTurn;
          resolve();
        }),
      ),
  };
};
