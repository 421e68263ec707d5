import type { QueryClient } from "@tanstack/react-query";
import { startTransition, useEffect, useState } from "react";

/** What follows the first screen, in this order: all at once would keep a slow phone from answering the finger. */
export const Turn = { lines: 1, bar: 2, notes: 3, below: 4, keys: 5 } as const;
export type Turn = (typeof Turn)[keyof typeof Turn];
const last = Math.max(...Object.values(Turn));

/** The first turn comes after so long at the latest, although an answer is missing; milliseconds. */
const longest = 3_000;

/** Time for one to be loaded and rendered before the next, in milliseconds. */
const pause = 120;

let turn = 0;
const listeners = new Set<() => void>();

/** Resolves when the browser has nothing else to do, or half a second later: one that is never idle shows everything as well. Where it does not tell, soon. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 50);
  });

/** Resolves after the next paint. */
const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Lets one after the other begin. */
const takeTurns = async (): Promise<void> => {
  while (turn < last) {
    turn += 1;
    for (const listener of listeners) listener();
    await new Promise((resolve) => setTimeout(resolve, pause));
    await idle();
  }
};

/**
 * Waits until the first screen is painted with its answers: until nothing is being asked for and nothing is left to be rendered. Returns the function
 * that ends it.
 */
export const watchFirstScreen = (queries: QueryClient): (() => void) => {
  if (turn > 0) return () => undefined;
  const isBusy = () => queries.isFetching() > 0;
  let isLooking = false;
  const end = () => {
    clearTimeout(timer);
    stop();
  };
  const begin = () => {
    end();
    if (turn === 0) void takeTurns();
  };
  const look = async () => {
    if (isLooking || isBusy()) return;
    isLooking = true;
    await idle();
    if (!isBusy()) await painted();
    isLooking = false;
    if (!isBusy()) begin();
  };
  const stop = queries.getQueryCache().subscribe(() => void look());
  const timer = setTimeout(begin, longest);
  void look();
  return end;
};

/**
 * Whether the first screen is there and a part that it does not need may be loaded: its code and calls would share a phone's line and processor with those
 * that are waited for. Stays so.
 */
export const useIsTurn = (of: Turn): boolean => {
  const [isTurn, setTurn] = useState(turn >= of);
  useEffect(() => {
    const look = () => {
      // What it shows is rendered in slices.
      if (turn >= of) startTransition(() => setTurn(true));
    };
    look();
    listeners.add(look);
    return () => void listeners.delete(look);
  }, [of]);
  return isTurn;
};
