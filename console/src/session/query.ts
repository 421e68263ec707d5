import { keepPreviousData, QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError, unreachable } from "@telltale/contract/client";
import { Code } from "@telltale/contract/codes";
import { warn } from "../ui/notify.tsx";

const isUnreachable = (error: Error) => error instanceof CallError && error.code === unreachable;

/** Shows the server's sentence, once however many calls fail with it. A lost session has its own notice. */
export const showFailure = (error: Error): void => {
  if (error instanceof CallError && error.code !== Code.notSignedIn) warn(error.message);
};

/**
 * What all calls have in common: only a call that never reached the server is tried again; while a filter or page
 * changes, the rows before it stay on screen. A screen shows its own failure when it has nothing else to show; a
 * failure to refresh what is shown is a notification, unless the call is marked `quiet`.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const isQuiet = query.meta?.quiet === true && isUnreachable(error);
        if (query.state.data !== undefined && !isQuiet) showFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && isUnreachable(error),
        retryDelay: (failures) => 1000 * 2 ** failures,
        staleTime: 5_000,
        placeholderData: keepPreviousData,
        // The live socket says when something changed; the browser's own 'online' guess is often wrong in plants.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
