import { Role } from "@telltale/contract/permissions";
import { onCallBetween, type RosterTimes, type Span } from "./on-call.ts";

interface SwapTimes {
  /** Undefined for one that is not made yet. */
  swapId?: number;
  from: number;
  to: number;
}

interface SwappedRoster extends RosterTimes {
  swaps: readonly (RosterTimes["swaps"][number] & { swapId: number })[];
}

/** Who would be on call without this swap and newer ones. */
const without = (roster: SwappedRoster, { swapId, from, to }: SwapTimes): Span[] =>
  onCallBetween(
    { ...roster, swaps: roster.swaps.filter((each) => swapId === undefined || each.swapId < swapId) },
    from,
    to,
  );

/** The accounts whose shifts a swap replaces; none when it fills a gap. */
export const replacedBy = (roster: SwappedRoster, swap: SwapTimes): number[] => [
  ...new Set(without(roster, swap).flatMap(({ accountId }) => accountId ?? [])),
];

/** Whether an account may swap this time, or take such a swap back: an installer only times in which nobody else is on call. */
export const isSwapOf = (
  { roleType, accountId }: { roleType: Role; accountId: number },
  roster: SwappedRoster,
  swap: SwapTimes,
): boolean => roleType !== Role.installer || without(roster, swap).every((span) => span.accountId === accountId);
