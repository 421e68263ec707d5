import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Search, useSearchOf } from "../../../ui/page/search.ts";
import type { Range } from "../readings/range.ts";

/** What the address of the device screen says: which device, which of its channels, which range. */
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

/** What the address of the device screen takes. */
const addressSearch = { deviceId: idIn, deviceChannelId: idIn, startTime: momentIn, endTime: momentIn };

/** The address, read anew whenever it changes. */
export const useAddress = (): Address => {
  const { deviceId, deviceChannelId, startTime: start, endTime: end } = useSearchOf(addressSearch);
  return useMemo(
    () => ({ deviceId, deviceChannelId, range: start && end && start <= end ? { start, end } : undefined }),
    [deviceId, deviceChannelId, start, end],
  );
};

/** Puts a range into the address, or takes it out, so that reload, back and a sent link keep it. */
export const useSearchRange = (): ((range: Range | undefined) => void) => {
  const navigate = useNavigate();
  return (range) => {
    const ends = { startTime: range?.start.toISOString(), endTime: range?.end.toISOString() };
    void navigate({ to: ".", search: (old: Search) => ({ ...old, ...ends }), resetScroll: false });
  };
};
