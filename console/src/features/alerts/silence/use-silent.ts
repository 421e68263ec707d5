import { silences } from "@telltale/contract/domains/alerting/silences";
import { silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { unhurried, useAlertsRefetch } from "../../../session/live/use-alerts-refetch.ts";
import { type AnyCall, useCall } from "../../../session/use-call.ts";
import { changedCalls } from "../confirm/changed-calls.ts";

/** What no live message tells, such as a contact that has answered, is polled at this interval, in milliseconds. */
const refetchInterval = 60_000;

/** How many things are silent; undefined until it is known. */
export const useSilentCounts = () => {
  useAlertsRefetch([silentNow.counts], unhurried);
  return useCall(silentNow.counts, {}, { meta: { quiet: true }, refetchInterval }).data;
};

/** Everything that is silent, kept up to date. */
export const useSilentNow = () => {
  useAlertsRefetch([silentNow.list]);
  return useCall(silentNow.list, {}, { meta: { quiet: true }, refetchInterval });
};

/** Calls that are stale after a silence has changed. */
export const silencedCalls: readonly AnyCall[] = [...changedCalls, silences.list, silentNow.list, silentNow.counts];
