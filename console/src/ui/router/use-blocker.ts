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

type Place = BlockerFnArgs["currentLocation"];

const isOtherPage = (current: Place, next: Place): boolean => current.pathname !== next.pathname;

/** Another path, or the same with other parameters. */
export const isOtherAddress = (current: Place, next: Place): boolean =>
  isOtherPage(current, next) || current.search !== next.search;

/**
 * Asks before the page is left while `isBlocking`, which may be a function that is called when somebody leaves; closing the window uses the browser's
 * own dialog. `isLeaving`: what counts as leaving, by default another path. Functions have to be the same at each rendering.
 */
export const useBlocker = (isBlocking: boolean | (() => boolean), isLeaving = isOtherPage): Blocker => {
  const { history, ask: askAbout } = useRouter();
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    if (!isBlocking) return;
    const holds = () => isBlocking === true || isBlocking();
    const ask = ({ currentLocation, nextLocation }: BlockerFnArgs) =>
      isLeaving(currentLocation, nextLocation) &&
      holds() &&
      askAbout(new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => setAnswer(undefined)));
    return history.block({ blockerFn: ask, enableBeforeUnload: holds });
  }, [history, askAbout, isBlocking, isLeaving]);
  return { isAsking: answer !== undefined, leave: () => answer?.(false), stay: () => answer?.(true) };
};
