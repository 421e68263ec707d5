import { type AlertRow, alerts, unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { useCall } from "../use-call.ts";
import { useAlertsRefetch } from "./use-alerts-refetch.ts";

/** Retry interval after a failed request, in milliseconds. */
const retryInterval = 10_000;

export interface Unconfirmed {
  /** Newest first. */
  alerts: readonly AlertRow[];
  /** The number as shown: "6", or "1000+" where the server stops counting. */
  label: string;
  isPending: boolean;
  /** They could not be fetched, so the screen must not claim that there are none. */
  isUnknown: boolean;
}

const countOf = (data: readonly AlertRow[], known: Pick<Unconfirmed, "isPending" | "isUnknown">): Unconfirmed => ({
  alerts: data,
  label: data.length < unconfirmedLimit ? String(data.length) : `${unconfirmedLimit}+`,
  ...known,
});

/** The unconfirmed triggered alerts, for bar, title and banner. */
export const useUnconfirmed = (): Unconfirmed => {
  const { data, isPending, isError } = useCall(
    alerts.unconfirmed,
    {},
    {
      meta: { quiet: true },
      refetchInterval: ({ state }) => state.status === "error" && retryInterval,
    },
  );
  return countOf(data ?? [], { isPending, isUnknown: isError && data === undefined });
};

/** Keeps the unconfirmed alerts up to date; used once, by the shell. */
export const useWatchUnconfirmed = (): void => {
  useAlertsRefetch([alerts.unconfirmed]);
};
