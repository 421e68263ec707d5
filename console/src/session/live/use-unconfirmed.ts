import { useQueryClient } from "@tanstack/react-query";
import { type AlertRow, alerts, unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { callQuery, useCall } from "../use-call.ts";
import { useLiveRefetch } from "./use-live-refetch.ts";
import { whenSettled } from "./when-settled.ts";

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

/** By priority, then newest first, as the server has them. */
const inOrder = (a: AlertRow, b: AlertRow): number =>
  a.priority - b.priority || b.createdTime.getTime() - a.createdTime.getTime() || b.alarmLogId - a.alarmLogId;

/** The list with the device's alerts as they are now. */
const withDevice = (list: readonly AlertRow[], deviceId: number, rows: readonly AlertRow[]): AlertRow[] =>
  [...list.filter((row) => row.deviceId !== deviceId), ...rows].sort(inOrder);

/** Keeps the unconfirmed alerts up to date by what the live messages carry, or else by fetching them; used once, by the shell. */
export const useWatchUnconfirmed = (): void => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(alerts.unconfirmed, {});
  const isTaken = ({ deviceId, unconfirmed }: { deviceId?: number; unconfirmed?: readonly unknown[] }): boolean => {
    const rows = unconfirmed && alerts.unconfirmed.result.safeParse(unconfirmed);
    if (!rows?.success || deviceId === undefined) return false;
    // A full list may lack others that move up.
    const isFull = () => (queries.getQueryData(queryKey)?.length ?? 0) >= unconfirmedLimit;
    if (isFull()) return false;
    whenSettled(queries, queryKey, () => {
      if (isFull()) void queries.invalidateQueries({ queryKey });
      else queries.setQueryData(queryKey, (old) => old && withDevice(old, deviceId, rows.data));
    });
    return true;
  };
  useLiveRefetch([alerts.unconfirmed], [LiveCommand.alertChange, LiveCommand.dashboardChange], (message) =>
    message.cmd === LiveCommand.alertChange ? !isTaken(message) : message.deviceId === undefined,
  );
};
