import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

interface Call {
  path: string;
}

/**
 * Silence after a save of this console before its lists are loaded again, in milliseconds: the server gathers live messages for 50 ms and sends those
 * about one change in several rounds, after the answer.
 */
const silence = 150;

/** Longest wait, in milliseconds: what others change must not wait for a slow save, nor for a storm of messages to end. */
const longestHold = 1000;

/** What is to be loaded again: since when, by path; `undefined` stands for every path. Moments of the performance clock. */
type Outdated = Map<string | undefined, number>;

interface Round {
  outdated: Outdated;
  done: Promise<void>;
}

const rounds = new WeakMap<QueryClient, Round>();

/** When the last request of a query began. */
const begun = new WeakMap<object, number>();

/** Notes when requests begin; once for each client. */
export const watchRequests = (queries: QueryClient): void => {
  queries.getQueryCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "fetch") begun.set(event.query, performance.now());
  });
};

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Resolves when the last save in flight has its answer and nothing more is said about it. */
const afterSaves = async (queries: QueryClient, outdated: Outdated): Promise<void> => {
  const began = performance.now();
  const saves = queries.getMutationCache();
  if (queries.isMutating() > 0) {
    let stop = () => {};
    const settled = new Promise<void>((resolve) => {
      stop = saves.subscribe(() => queries.isMutating() === 0 && resolve());
    });
    await Promise.race([settled, wait(longestHold)]);
    stop();
  }
  await wait(silence);
  const isSilent = () => performance.now() - Math.max(...outdated.values()) >= silence;
  while (!isSilent() && performance.now() - began < longestHold) await wait(silence);
};

const load = async (queries: QueryClient, outdated: Outdated): Promise<void> => {
  /** An answer asked for after the change holds it already. */
  const isMeant = (query: Query): boolean => {
    const since = Math.max(outdated.get(String(query.queryKey[0])) ?? 0, outdated.get(undefined) ?? 0);
    return since > 0 && (begun.get(query) ?? 0) <= since;
  };
  const isFirst = (query: Query): boolean => isMeant(query) && query.state.data === undefined;
  const early = queries.getQueryCache().findAll({ fetchStatus: "fetching", predicate: isFirst });
  await queries.invalidateQueries({ predicate: isMeant });
  await Promise.allSettled(early.map(({ promise }) => promise));
  await queries.invalidateQueries({ predicate: (query) => early.includes(query) });
};

/**
 * Marks the answers of these calls, or without `calls` all answers, as out of date: those on screen are loaded again, once for each change. A save is
 * heard of twice, by its answer and by the live message about it, in either order: while a save of this console is in flight, and for a moment
 * afterwards, everything is collected and loaded together. Without one it is loaded at once. An in-flight first load may predate the change; it is
 * repeated when it has come. `since` is when the change was heard of: answers asked for after it are up to date. Resolves when all have come, or failed.
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

/** `invalidate` for a component: `invalidate([devices.list])` after a change, without waiting for what comes. */
export const useInvalidate = (): ((calls?: readonly Call[]) => void) => {
  const queries = useQueryClient();
  return useCallback((calls) => void invalidate(queries, calls), [queries]);
};
