import { useThrottledCallback } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { type AlertRow, alerts, unconfirmedLimit } from "@telltale/contract/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { useLive } from "./live.ts";
import { keyOf, useCall } from "./use-call.ts";

/** How often the unconfirmed alerts are fetched at most, in milliseconds. */
const throttle = 1000;

export interface Unconfirmed {
  /** Newest first. */
  alerts: readonly AlertRow[];
  /** How many as shown: "6", or "1000+" where the server stops counting. */
  label: string;
  isPending: boolean;
}

/** The triggered alerts that wait for confirmation, for bar, title, banner. */
export const useUnconfirmed = (): Unconfirmed => {
  const { data = [], isPending } = useCall(alerts.unconfirmed, {}, { meta: { quiet: true } });
  return {
    alerts: data,
    label: data.length < unconfirmedLimit ? String(data.length) : `${unconfirmedLimit}+`,
    isPending,
  };
};

/** Keeps the unconfirmed alerts up to date; used once, by the shell. */
export const useWatchUnconfirmed = (): void => {
  const queries = useQueryClient();
  const refetch = useThrottledCallback((_: unknown) => {
    void queries.invalidateQueries({ queryKey: keyOf(alerts.unconfirmed) });
  }, throttle);
  useLive(LiveCommand.alertChange, refetch);
};
