import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

interface Call {
  path: string;
}

/**
 * Says that the answers of these calls, or without `calls` all answers, are out of date: those on screen are loaded
 * again. One that is on its way for the first time may be from before the change; it is asked for once more when it has
 * come. Resolves when all have come, or failed.
 */
export const outdate = async (queries: QueryClient, calls?: readonly Call[]): Promise<void> => {
  const isMeant = ({ queryKey }: Query): boolean => calls?.some(({ path }) => path === queryKey[0]) ?? true;
  const isFirst = (query: Query): boolean => isMeant(query) && query.state.data === undefined;
  const early = queries.getQueryCache().findAll({ fetchStatus: "fetching", predicate: isFirst });
  await queries.invalidateQueries({ predicate: isMeant });
  await Promise.allSettled(early.map(({ promise }) => promise));
  await queries.invalidateQueries({ predicate: (query) => early.includes(query) });
};

/** `outdate` for a component: `outdate([devices.list])` after a change, without waiting for what comes. */
export const useOutdate = (): ((calls?: readonly Call[]) => void) => {
  const queries = useQueryClient();
  return useCallback((calls) => void outdate(queries, calls), [queries]);
};
