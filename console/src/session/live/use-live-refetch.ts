import { useQueryClient } from "@tanstack/react-query";
import { type ChangedRecord, LiveCommand } from "@telltale/contract/live";
import { useEffect, useRef } from "react";
import { invalidate } from "../invalidate.ts";
import type { AnyCall } from "../use-call.ts";
import { type Command, type MessageOf, useLive } from "./live.ts";

/** Minimum time between refetches, in milliseconds: at first, and while changes keep coming. */
const [shortest, longest] = [1000, 5000];

/** The time until the next refetch, given the last: twice as long, and not the same for all consoles, so that a flood of alerts is not one of questions. */
const nextPause = (last: number, least: number): number =>
  Math.max(least, Math.min(2 * last, longest) * (0.8 + 0.4 * Math.random()));

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Returns a function that refetches the calls. One refetch at a time, at least `pause` milliseconds apart, some seconds while changes keep coming, and one
 * more after the last change: a burst of alerts neither floods the server nor loses its last change.
 */
export const usePacedRefetch = (calls: readonly AnyCall[], pause = shortest): (() => void) => {
  const queries = useQueryClient();
  const state = useRef({ isBusy: false, requestedAt: 0, isGone: false });
  useEffect(() => {
    const current = state.current;
    current.isGone = false;
    return () => {
      current.isGone = true;
    };
  }, []);

  const refresh = async (): Promise<void> => {
    const current = state.current;
    current.requestedAt = performance.now();
    if (current.isBusy) return;
    current.isBusy = true;
    let delay = pause;
    while (current.requestedAt > 0 && !current.isGone) {
      const since = current.requestedAt;
      current.requestedAt = 0;
      // The refetch covers messages that arrived while it was delayed: it is not repeated for them.
      await Promise.all([invalidate(queries, calls, since), wait(delay)]);
      delay = nextPause(delay, pause);
    }
    current.isBusy = false;
  };
  return () => void refresh();
};

/**
 * Refetches the calls when a live message with one of these commands arrives, at the pace of `usePacedRefetch`; `isAbout` filters messages that do not
 * concern the screen.
 */
export const useLiveRefetch = <C extends Command>(
  calls: readonly AnyCall[],
  commands: readonly C[],
  isAbout: (message: MessageOf<C>) => boolean = () => true,
  pause = shortest,
): void => {
  const refetch = usePacedRefetch(calls, pause);
  useLive(commands, (message) => {
    if (isAbout(message)) refetch();
  });
};

/** Refetches the calls when records of one of these kinds change, whoever changes them. */
export const useRecordsRefetch = (calls: readonly AnyCall[], records: readonly ChangedRecord[]): void =>
  useLiveRefetch(calls, [LiveCommand.recordChange], ({ record }) => records.includes(record));
