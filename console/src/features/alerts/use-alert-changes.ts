import { useQueryClient } from "@tanstack/react-query";
import type { Calls } from "@telltale/contract/call";
import { LiveCommand } from "@telltale/contract/live";
import { useEffect, useRef } from "react";
import { useLive } from "../../session/live.ts";
import { keyOf } from "../../session/use-call.ts";

/** How often a list is loaded again at most, in milliseconds. */
const pause = 1000;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Loads a list again when an alert was raised, confirmed or cleared. One load at a time, and one more after the last
 * change: in a storm of alerts neither does the server drown nor is the last one missed.
 */
export const useAlertChanges = (call: Calls[string]): void => {
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
  useLive(LiveCommand.alertChange, () => void refresh());
};
