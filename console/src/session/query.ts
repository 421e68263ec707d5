import { keepPreviousData, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError, UnreachableError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { warn } from "../ui/dialog/notify.tsx";
import { watchRequests } from "./invalidate.ts";

/** What a call may say about its failures. */
interface FailureMeta extends Record<string, unknown> {
  /** A failed refresh of what is on screen is not said while the server is unreachable: the live indicator says that. */
  quiet?: boolean;
  /** The screen itself says every refusal, where the user looks. */
  isSaid?: boolean;
  /** A code that is not said at all. */
  unsaidCode?: number;
}

/** Shows the server's sentence, once however many calls fail with it. A lost session has its own notice. */
export const showFailure = (error: unknown): void => {
  if (error instanceof CallError && error.code !== Code.notSignedIn) warn(error.message);
};

const isUnsaid = (error: Error, { meta, state }: Query<unknown, unknown, unknown>): boolean => {
  const { quiet, isSaid, unsaidCode } = meta ?? {};
  if (error instanceof UnreachableError) return quiet === true && state.data !== undefined;
  return isSaid === true || (error instanceof CallError && error.code === unsaidCode);
};

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: FailureMeta;
  }
}

/**
 * What all calls have in common: only a call that never reached the server is tried again; while a filter or page
 * changes, the rows before it stay on screen. Every failure is shown as a warning, also of a list that shows it in its place. (spec 1 §8, spec 2 §8)
 */
export const createQueryClient = (): QueryClient => {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!isUnsaid(error, query)) showFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && error instanceof UnreachableError,
        retryDelay: (failures) => 1000 * 2 ** failures,
        staleTime: 5_000,
        placeholderData: keepPreviousData,
        // The live socket says when something changed, and loads everything after a reconnection; the browser's own 'online' guess is often wrong
        // in plants, and would ask for everything a second time.
        networkMode: "always",
        refetchOnReconnect: false,
      },
      mutations: { networkMode: "always" },
    },
  });
  watchRequests(queries);
  return queries;
};
