import { Role } from "@telltale/contract/permissions";
import { onCallBetween, type RosterTimes } from "./on-call.ts";

/** The accounts that somebody who takes the roster now for a time replaces, each once; null among them where nobody is on call. */
export const replacedIn = (roster: RosterTimes, from: Date, to: Date): (number | null)[] => [
  ...new Set(onCallBetween(roster, from.getTime(), to.getTime()).map(({ accountId }) => accountId)),
];

/** Whether an account may make a swap that replaces these, or take it back: an installer only one that replaces nobody else and fills no gap. */
export const maySwap = (
  { roleType, accountId }: { roleType: Role; accountId: number },
  replaced: readonly (number | null)[],
): boolean => roleType !== Role.installer || replaced.every((each) => each === accountId);
