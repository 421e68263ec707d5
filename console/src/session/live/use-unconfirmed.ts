import { type AlertRow, alerts, unconfirmedLimit } from "@telltale/contract/domains/alerts";
import { useCall } from "../use-call.ts";
import { useAlertsByDevice } from "./use-alerts-by-device.ts";

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
  const { data, errorUpdateCount } = useCall(
    alerts.unconfirmed,
    {},
    {
      meta: { quiet: true },
      refetchInterval: ({ state }) => state.status === "error" && retryInterval,
      // What waits for them is shown when they have failed, and asks for them as well: it would be taken away again, and so on without end.
      retryOnMount: false,
    },
  );
  const isUnknown = data === undefined && errorUpdateCount > 0;
  // Another try after a failure is no first load: what is shown instead stays.
  return countOf(data ?? [], { isPending: data === undefined && !isUnknown, isUnknown });
};

/** By priority, then newest first, as the server has them. */
const inOrder = (a: AlertRow, b: AlertRow): number =>
  a.priority - b.priority || b.createdTime.getTime() - a.createdTime.getTime() || b.alarmLogId - a.alarmLogId;

/**
 * The list with the device's alerts as they are now. A full list lacks others: what comes behind its last entry may be behind one of those, too, and what
 * makes room for one of them cannot be told.
 */
export const withDevice = (
  list: readonly AlertRow[],
  deviceId: number,
  rows: readonly AlertRow[],
): AlertRow[] | undefined => {
  const isFull = list.length >= unconfirmedLimit;
  const last = isFull ? list.at(-1) : undefined;
  const known = last ? rows.filter((row) => inOrder(row, last) <= 0) : rows;
  const all = [...list.filter((row) => row.deviceId !== deviceId), ...known].sort(inOrder).slice(0, unconfirmedLimit);
  return isFull && all.length < unconfirmedLimit ? undefined : all;
};

/** Keeps the unconfirmed alerts up to date; used once, by the shell. */
export const useWatchUnconfirmed = (): void =>
  useAlertsByDevice({ call: alerts.unconfirmed, field: "unconfirmed", withDevice });
