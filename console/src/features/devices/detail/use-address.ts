import { useMemo } from "react";
import { useSearchOf } from "../../../ui/page/search.ts";
import type { Search } from "../../../ui/router/address.ts";
import { useNavigate } from "../../../ui/router/hooks.ts";
import type { Range } from "../readings/range.ts";

/** The address of the device screen: device, channel and range. */
export interface Address {
  deviceId: number | undefined;
  deviceChannelId: number | undefined;
  range: Range | undefined;
}

const idIn = (value: unknown): number | undefined =>
  typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

const momentIn = (value: unknown): Date | undefined => {
  const moment = new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
};

/** Parameters of the device screen's address. */
const addressSearch = { deviceId: idIn, deviceChannelId: idIn, startTime: momentIn, endTime: momentIn };

/** The parsed address, updated whenever it changes. */
export const useAddress = (): Address => {
  const { deviceId, deviceChannelId, startTime: start, endTime: end } = useSearchOf(addressSearch);
  return useMemo(
    () => ({ deviceId, deviceChannelId, range: start && end && start <= end ? { start, end } : undefined }),
    [deviceId, deviceChannelId, start, end],
  );
};

/** Writes a range to the address, or removes it, so that reload, back and a shared link keep it. */
export const useSearchRange = (): ((range: Range | undefined) => void) => {
  const navigate = useNavigate();
  return (range) => {
    const ends = { startTime: range?.start.toISOString(), endTime: range?.end.toISOString() };
    void navigate({ to: ".", search: (old: Search) => ({ ...old, ...ends }), resetScroll: false });
  };
};
