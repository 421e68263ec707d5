import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

interface Call {
  path: string;
}

/**
 * Quiet period after a save of this console before its lists are refetched, in milliseconds: the server batches live messages for 50 ms and sends
 * those about one change in several batches, after the answer. Where the save itself took longer, server, network or browser are slow, and so are the
 * messages.
 */
const silence = { least: 150, most: 500 } as const;

/** Maximum delay in milliseconds: other users' changes must not wait for a slow save, nor for the end of a burst of messages. */
const maxDelay = 1000;

/** Stale paths with the time since when; `undefined` stands for all paths. Times are from `performance.now()`. */
type Outdated = Map<string | undefined, number>;

interface Round {
  outdated: Outdated;
  done: Promise<void>;
}

const rounds = new WeakMap<QueryClient, Round>();

/** Start time of a query's last request. */
const begun = new WeakMap<object, number>();

/** Records when requests start; call once per client. */
export const watchRequests = (queries: QueryClient): void => {
  queries.getQueryCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "fetch") begun.set(event.query, performance.now());
  });
};

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Resolves when the last in-flight save is answered and no further message about it arrives. */
const afterSaves = async (queries: QueryClient, outdated: Outdated): Promise<void> => {
  const began = performance.now();
  const saves = queries.getMutationCache();
  const submitted = saves.findAll({ status: "pending" }).map(({ state }) => state.submittedAt);
  if (queries.isMutating() > 0) {
    let stop = () => {};
    const settled = new Promise<void>((resolve) => {
      stop = saves.subscribe(() => queries.isMutating() === 0 && resolve());
    });
    await Promise.race([settled, wait(maxDelay)]);
    stop();
  }
  const taken = Date.now() - Math.min(Date.now(), ...submitted);
  const quiet = Math.min(Math.max(silence.least, taken), silence.most);
  await wait(quiet);
  const isSilent = () => performance.now() - Math.max(...outdated.values()) >= quiet;
  while (!isSilent() && performance.now() - began < maxDelay) await wait(silence.least);
};

const load = async (queries: QueryClient, outdated: Outdated): Promise<void> => {
  /** An answer requested after the change already includes it. */
  const isStale = (query: Query): boolean => {
    const since = Math.max(outdated.get(String(query.queryKey[0])) ?? 0, outdated.get(undefined) ?? 0);
    return since > 0 && (begun.get(query) ?? 0) <= since;
  };
  const isFirst = (query: Query): boolean => isStale(query) && query.state.data === undefined;
  const early = queries.getQueryCache().findAll({ fetchStatus: "fetching", predicate: isFirst });
  await queries.invalidateQueries({ predicate: isStale });
  await Promise.allSettled(early.map(({ promise }) => promise));
  await queries.invalidateQueries({ predicate: (query) => early.includes(query) });
};

/**
 * Marks the answers of these calls, or all answers without `calls`, as stale and refetches those on screen, once per change. A save is reported
 * twice, by its answer and by a live message, in either order: while a save of this console is in flight, and for a short time after it,
 * invalidations are collected and refetched together; otherwise they are refetched at once. An in-flight first load may predate the change; it is
 * repeated when it has arrived. `since` is when the change was reported: answers requested after it are up to date. Resolves when all refetches have
 * finished or failed.
 */
export const invalidate = (
  queries: QueryClient,
  calls?: readonly Call[],
  since: number = performance.now(),
): Promise<void> => {
  const paths = calls?.map(({ path }) => path) ?? [undefined];
  const pending = rounds.get(queries);
  if (!pending && queries.isMutating() === 0) return load(queries, new Map(paths.map((path) => [path, since])));
  const outdated: Outdated = pending?.outdated ?? new Map();
  for (const path of paths) outdated.set(path, Math.max(since, outdated.get(path) ?? 0));
  if (pending) return pending.done;
  const done = afterSaves(queries, outdated).then(() => {
    rounds.delete(queries);
    return load(queries, outdated);
  });
  rounds.set(queries, { outdated, done });
  return done;
};

/** `invalidate` for a component: `invalidate([devices.list])` after a change, without waiting for the refetch. */
export const useInvalidate = (): ((calls?: readonly Call[]) => void) => {
  const queries = useQueryClient();
  return useCallback((calls) => void invalidate(queries, calls), [queries]);
};
