import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { invalidate } from "../invalidate.ts";
import type { AnyCall } from "../use-call.ts";
import { type Command, type MessageOf, useLive } from "./live.ts";

/** How often answers are loaded again at most, in milliseconds. */
const pause = 1000;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Loads the calls' answers again when one of these live messages says that they changed; `isAbout` says whether a message
 * is about what is on screen. One load at a time, and one more after the last change: in a storm of alerts neither does
 * the server drown nor is the last one missed.
 */
export const useLiveRefetch = <C extends Command>(
  calls: readonly AnyCall[],
  commands: readonly C[],
  isAbout: (message: MessageOf<C>) => boolean = () => true,
): void => {
  const queries = useQueryClient();
  const state = useRef({ isBusy: false, askedAt: 0, isGone: false });
  useEffect(() => {
    const current = state.current;
    current.isGone = false;
    return () => {
      current.isGone = true;
    };
  }, []);

  const refresh = async (): Promise<void> => {
    const current = state.current;
    current.askedAt = performance.now();
    if (current.isBusy) return;
    current.isBusy = true;
    while (current.askedAt > 0 && !current.isGone) {
      const since = current.askedAt;
      current.askedAt = 0;
      // Messages that came while the load was held back are in it: it is not repeated for them.
      await Promise.all([invalidate(queries, calls, since), wait(pause)]);
    }
    current.isBusy = false;
  };
  useLive(commands, (message) => {
    if (isAbout(message)) void refresh();
  });
};
