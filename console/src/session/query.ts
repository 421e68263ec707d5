import { keepPreviousData, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError, UnreachableError } from "@telltale/contract/call/client";
import { Code } from "@telltale/contract/call/codes";
import { warn } from "../ui/dialog/messages.ts";
import { watchRequests } from "./invalidate.ts";

/** How a call's failures are shown. */
interface FailureMeta extends Record<string, unknown> {
  /** A failed background refetch is not shown while the server is unreachable: the live indicator shows that. */
  quiet?: boolean;
  /** The screen shows every error itself, in place. */
  isShownInPlace?: boolean;
  /** An error code that is not shown at all. */
  silentCode?: number;
}

/** Shows the server's sentence, once however many calls fail with it. A lost session has its own message. */
export const showFailure = (error: unknown): void => {
  if (error instanceof CallError && error.code !== Code.notSignedIn) warn(error.message);
};

const isUnsaid = (error: Error, { meta, state }: Query<unknown, unknown, unknown>): boolean => {
  const { quiet, isShownInPlace, silentCode } = meta ?? {};
  if (error instanceof UnreachableError) return quiet === true && state.data !== undefined;
  return isShownInPlace === true || (error instanceof CallError && error.code === silentCode);
};

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: FailureMeta;
  }
}

/**
 * Defaults for all calls: only a call that did not reach the server is retried; while a filter or page changes, the previous
 * rows stay on screen. Every failure is shown as a warning, also for a list that shows it in place. (spec 1 §8, spec 2 §8)
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
        // The live socket reports changes and triggers a refetch after a reconnection. The browser's 'online' state is often wrong in plants and
        // would refetch everything a second time.
        networkMode: "always",
        refetchOnReconnect: false,
      },
      mutations: { networkMode: "always" },
    },
  });
  watchRequests(queries);
  return queries;
};
