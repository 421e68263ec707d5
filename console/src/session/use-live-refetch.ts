import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { type Command, useLive } from "./live.ts";
import { type AnyCall, keyOf } from "./use-call.ts";

/** How often a list is loaded again at most, in milliseconds. */
const pause = 1000;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Loads a call's answers again when one of these live messages says that they changed. One load at a time, and one more
 * after the last change: in a storm of alerts neither does the server drown nor is the last one missed.
 */
export const useLiveRefetch = (call: AnyCall, commands: readonly Command[]): void => {
  const queries = useQueryClient();
  const state = useRef({ isBusy: false, isAsked: false, isGone: false });
  useEffect(() => {
    const current = state.current;
    current.isGone = false;
    return () => {
      current.isGone = true;
    };
  }, []);

  const refresh = async (): Promise<void> => {
    const current = state.current;
    current.isAsked = true;
    if (current.isBusy) return;
    current.isBusy = true;
    while (current.isAsked && !current.isGone) {
      current.isAsked = false;
      await Promise.all([queries.invalidateQueries({ queryKey: keyOf(call) }), wait(pause)]);
    }
    current.isBusy = false;
  };
  useLive(commands, () => void refresh());
};
