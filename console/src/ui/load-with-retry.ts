import { type ComponentProps, createElement, lazy, useSyncExternalStore } from "react";
import { loadedParts, loadMantine } from "./mantine/load-mantine.ts";

/** Delay between probes for the server in milliseconds: initial and maximum. */
const firstPause = 2000;
const longestPause = 15_000;

type AnyComponent = Awaited<ReturnType<Parameters<typeof lazy>[0]>>["default"];

const isServerReachable = async (): Promise<boolean> => {
  const answer = await fetch("/readyz", { cache: "no-store" }).catch(() => undefined);
  return answer?.ok ?? false;
};

/** Exponential backoff with jitter: the consoles of a plant must not all reconnect at once to a server that has just started. */
const pauseAfter = (questions: number): number =>
  Math.min(firstPause * 2 ** questions, longestPause) * (0.5 + Math.random() / 2);

/** Resolves after the time, or at once when the browser is online again. */
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
  for (let questions = 0; !(await isServerReachable()); questions += 1) await pause(pauseAfter(questions));
};

let asking: Promise<void> | undefined;
const listeners = new Set<() => void>();

const setAsking = (next: Promise<void> | undefined): void => {
  asking = next;
  for (const listener of listeners) listener();
};

/** Resolves when the server is reachable. All waiters share one probe. */
const untilServerReachable = (): Promise<void> => {
  if (!asking) setAsking(ask().finally(() => setAsking(undefined)));
  return asking ?? Promise.resolve();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether a part of the console waits for an unreachable server. */
export const useIsServerUnreachable = (): boolean => useSyncExternalStore(subscribe, () => asking !== undefined);

/**
 * Loads a code-split part of the console that has no component of Mantine, such as what is shown first. While the server is unreachable it is
 * retried: a part that failed once would otherwise be missing until a reload, and with it the screen around it. Rejects when a reachable server does
 * not have it.
 */
export const loadPlain = async <M>(load: () => Promise<M>): Promise<M> => {
  try {
    return await load();
  } catch {
    await untilServerReachable();
    return load();
  }
};

/** `loadPlain` for any part. */
export const loadWithRetry = async <M>(load: () => Promise<M>): Promise<M> => {
  const [part] = await Promise.all([loadPlain(load), loadPlain(loadMantine)]);
  return part;
};

/** A lazily loaded component; `preload` fetches it before it is shown. */
const lazyWith = <C extends AnyComponent>(loadComponent: () => Promise<{ default: C }>) =>
  Object.assign(lazy(loadComponent), { preload: () => void loadComponent().catch(() => undefined) });

/** A lazily loaded component, with what components of Mantine in it need. */
export const lazyWithRetry = <M extends Record<K, AnyComponent>, K extends keyof M>(load: () => Promise<M>, name: K) =>
  lazyWith(async () => {
    const { [name]: Part } = await loadWithRetry(load);
    const withMantine = (props: ComponentProps<M[K]>) =>
      createElement(loadedParts(), null, createElement<ComponentProps<M[K]>>(Part, props));
    // It takes what the part takes.
    return { default: withMantine as M[K] };
  });

/** A lazily loaded component without anything of Mantine. */
export const lazyPlain = <M extends Record<K, AnyComponent>, K extends keyof M>(load: () => Promise<M>, name: K) =>
  lazyWith(async () => ({ default: (await loadPlain(load))[name] }));
