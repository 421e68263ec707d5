import { firstWhere } from "../../platform/first-where.ts";

/** A silence of a rule, in epoch milliseconds; the end does not belong to it. */
export interface RuleStretch {
  key: string;
  begin: number;
  end: number;
}

/** Whether a rule was silenced at a time, by its key: cheap however many silences a rule had, and however long they overlap. */
export const createSuppressed = (silences: readonly RuleStretch[]): ((key: string, ts: number) => boolean) => {
  const byKey = new Map<string, { begin: number; end: number }[]>();
  for (const { key, begin, end } of silences.toSorted((a, b) => a.begin - b.begin)) {
    const merged = byKey.get(key) ?? [];
    byKey.set(key, merged);
    const last = merged.at(-1);
    if (last && begin <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ begin, end });
  }
  return (key, ts) => {
    const merged = byKey.get(key) ?? [];
    const next = merged[firstWhere(merged, ({ end }) => end > ts)];
    return next !== undefined && next.begin <= ts;
  };
};
