import { useQueries } from "@tanstack/react-query";
import { type FirmwareRow, firmware, firmwarePolling, UpdateStatus } from "@telltale/contract/firmware";
import { useEffect, useMemo } from "react";
import { useOutdate } from "../../session/outdate.ts";
import { callQuery } from "../../session/use-call.ts";

const isUpdating = ({ updateStatus }: FirmwareRow): boolean => updateStatus === UpdateStatus.updating;

/** How a device that is updated is asked about: every five seconds, until it is updated no more. */
const pollOf = ({ deviceId }: FirmwareRow) => ({
  ...callQuery(firmware.detail, { deviceId }),
  // Nothing of an update before is to stand in for this one.
  placeholderData: undefined,
  gcTime: 0,
  meta: { quiet: true },
  refetchInterval: ({ state }: { state: { data: FirmwareRow | undefined } }) =>
    state.data && !isUpdating(state.data) ? (false as const) : firmwarePolling,
});

/** The rows, those of devices under way replaced by what was heard of them last. Nothing is asked while nothing is updated. (spec 2 §4) */
export const usePolledRows = (rows: readonly FirmwareRow[] | undefined): FirmwareRow[] | undefined => {
  const outdate = useOutdate();
  const polled = useQueries({
    queries: (rows ?? []).filter(isUpdating).map(pollOf),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const ended = polled.filter((row) => !isUpdating(row)).length;
  useEffect(() => {
    if (ended > 0) outdate([firmware.list]);
  }, [ended, outdate]);
  return useMemo(() => {
    const latest = new Map(polled.map((row) => [row.deviceId, row]));
    return rows?.map((row) => latest.get(row.deviceId) ?? row);
  }, [rows, polled]);
};
