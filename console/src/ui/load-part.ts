import { lazy } from "react";

/** Between two questions whether the server is back: first, and at most, in milliseconds. */
const firstPause = 2000;
const longestPause = 15_000;

type AnyComponent = Awaited<ReturnType<Parameters<typeof lazy>[0]>>["default"];

const isServerThere = async (): Promise<boolean> => {
  const answer = await fetch("/readyz", { cache: "no-store" }).catch(() => undefined);
  return answer?.ok ?? false;
};

/** Longer after each question, and of random length: the consoles of a plant do not ask a server that has just started all at once. */
const pauseAfter = (questions: number): number =>
  Math.min(firstPause * 2 ** questions, longestPause) * (0.5 + Math.random() / 2);

/** Resolves after the time, or at once when the browser has its network back. */
const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", go);
      resolve();
    };
    const timer = setTimeout(go, milliseconds);
    globalThis.addEventListener?.("online", go);
  });

const ask = async (): Promise<void> => {
  for (let questions = 0; !(await isServerThere()); questions += 1) await pause(pauseAfter(questions));
};

let asking: Promise<void> | undefined;

/** Resolves when the server is there. However many wait for it, one asks. */
const untilServerIsThere = (): Promise<void> => {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
};

/**
 * Loads a part of the console's own code. While the server is away it is asked for again: a part that failed once would
 * be missing for good, and with it the screen around it. Fails when a server that is there does not have it.
 */
export const loadPart = async <M>(load: () => Promise<M>): Promise<M> => {
  try {
    return await load();
  } catch {
    await untilServerIsThere();
    return load();
  }
};

/** A component that is not part of the first screen's script; `preload` fetches it before it is shown. */
export const lazyPart = <M extends Record<K, AnyComponent>, K extends keyof M>(load: () => Promise<M>, name: K) => {
  const loadComponent = async () => ({ default: (await loadPart(load))[name] });
  const preload = () => void loadComponent().catch(() => undefined);
  return Object.assign(lazy(loadComponent), { preload });
};
