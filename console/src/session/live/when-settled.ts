import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Calls `change`, which applies a live message to cached answers, or, while one of them is being fetched, as soon as that is over: what arrives may be from
 * before the message. Fetching it again instead would never end in a flood of messages, of which one comes during every fetch. Where the answer was newer
 * than the message, another message about that is on its way.
 */
export const whenSettled = (queries: QueryClient, queryKey: QueryKey, change: () => void): void => {
  const isFetching = () => queries.isFetching({ queryKey }) > 0;
  if (!isFetching()) {
    change();
    return;
  }
  const stop = queries.getQueryCache().subscribe(() => {
    if (isFetching()) return;
    stop();
    change();
  });
};
