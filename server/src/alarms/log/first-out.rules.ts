import { firstOutWithin, type LoggedAlert } from "@telltale/contract/domains/alerts";

/** An alert of a family: a master and its sub-devices. */
export interface FamilyAlert {
  alertId: number;
  /** When it was raised, epoch milliseconds. */
  at: number;
  ruleKey: string;
  name: string;
}

/** An alert's place among those of its family. */
export type FirstOut = Pick<LoggedAlert, "firstOf" | "follows">;

export const alone: FirstOut = { firstOf: null, follows: null };

/** The order of alerts: of those raised at the same time, that of their entries. */
export const byTime = (a: Pick<FamilyAlert, "at" | "alertId">, b: Pick<FamilyAlert, "at" | "alertId">): number =>
  a.at - b.at || a.alertId - b.alertId;

/** Index of the first alert at or after this time, of a family in order. */
const indexAt = (family: readonly FamilyAlert[], time: number): number => {
  let [low, high] = [0, family.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((family[middle]?.at ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * The place of an alert in its family, whose alerts are given in the order of their times. It is the first when none was raised in the minute before
 * it, and another rule raised one in the minute after. A rule that chatters is not several alerts.
 */
export const firstOutOf = (family: readonly FamilyAlert[], alertId: number, at: number): FirstOut => {
  const around = family.slice(indexAt(family, at - firstOutWithin), indexAt(family, at + firstOutWithin + 1));
  const place = around.findIndex((each) => each.alertId === alertId);
  const own = around[place];
  if (!own) return alone;
  const before = around.slice(0, place).find(({ ruleKey }) => ruleKey !== own.ruleKey);
  if (before) {
    const { name } = before;
    return { firstOf: null, follows: { alarmLogId: before.alertId, name, seconds: (at - before.at) / 1000 } };
  }
  const rules = new Set(around.slice(place).map(({ ruleKey }) => ruleKey));
  return place === 0 && rules.size > 1 ? { firstOf: rules.size, follows: null } : alone;
};

/** A stretch of time, epoch milliseconds, both ends included. */
export interface Stretch {
  from: number;
  to: number;
}

/** So many milliseconds, by default a minute, before and after these times; stretches that touch as one, so that no alert is read twice. */
export const minutesAround = (times: readonly number[], reach = firstOutWithin): Stretch[] => {
  const stretches: Stretch[] = [];
  for (const at of times.toSorted((a, b) => a - b)) {
    const last = stretches.at(-1);
    if (last && at - reach <= last.to) last.to = at + reach;
    else stretches.push({ from: at - reach, to: at + reach });
  }
  return stretches;
};
