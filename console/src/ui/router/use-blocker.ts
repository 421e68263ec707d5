import type { BlockerFnArgs } from "@tanstack/history";
import { useEffect, useState } from "react";
import { useRouter } from "./hooks.ts";

/** The answer to a question about leaving. */
type Answer = (stays: boolean) => void;

interface Blocker {
  /** Somebody is leaving the page: to be asked. */
  isAsking: boolean;
  leave: () => void;
  stay: () => void;
}

/** Asks before the page is left while `isBlocking`; closing the window uses the browser's own dialog. */
export const useBlocker = (isBlocking: boolean): Blocker => {
  const { history } = useRouter();
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    if (!isBlocking) return;
    const ask = ({ currentLocation, nextLocation }: BlockerFnArgs) =>
      currentLocation.pathname !== nextLocation.pathname &&
      new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => setAnswer(undefined));
    return history.block({ blockerFn: ask, enableBeforeUnload: true });
  }, [history, isBlocking]);
  return { isAsking: answer !== undefined, leave: () => answer?.(false), stay: () => answer?.(true) };
};
