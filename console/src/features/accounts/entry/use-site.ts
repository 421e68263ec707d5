import { site } from "@telltale/contract/domains/people/site";
import { useCall } from "../../../session/use-call.ts";

/** Polling interval while the server does not answer, milliseconds. */
const retryInterval = 3_000;

/** What the screens before sign-in need to know about the server. */
export const useSite = () =>
  useCall(
    site.info,
    {},
    {
      staleTime: Number.POSITIVE_INFINITY,
      // Polls, so that a user who arrives while the server is down need not reload the page.
      refetchInterval: ({ state }) => (state.data === undefined ? retryInterval : false),
    },
  );
