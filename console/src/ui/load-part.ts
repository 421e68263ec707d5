import { lazy } from "react";

/** Between two questions whether the server is back, in milliseconds. */
const askAgainAfter = 4000;

type AnyComponent = Awaited<ReturnType<Parameters<typeof lazy>[0]>>["default"];

const isServerThere = async (): Promise<boolean> => {
  const answer = await fetch("/readyz", { cache: "no-store" }).catch(() => undefined);
  return answer?.ok ?? false;
};

const untilServerIsThere = async (): Promise<void> => {
  while (!(await isServerThere())) await new Promise((resolve) => setTimeout(resolve, askAgainAfter));
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
