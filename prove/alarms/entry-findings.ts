import type { Finding } from "../finding.ts";
import type { AlarmedUnit } from "./alarmed-unit.ts";
import { type Entry, expectedEntries } from "./expected-entries.ts";
import type { RecordedEntry } from "./recorded.ts";

const spanOf = ({ raised, cleared }: Entry): string => `${raised} ${cleared ?? "open"}`;

/** Whether an entry begins before the one before it has ended. */
const overlaps = (entries: readonly Entry[]): number =>
  entries
    .toSorted((one, other) => one.raised - other.raised)
    .filter(({ raised }, at, sorted) => {
      const before = sorted[at - 1];
      return before !== undefined && (before.cleared === undefined || before.cleared > raised);
    }).length;

/** Compares the entries with what the devices have measured. */
export const entryFindings = (units: readonly AlarmedUnit[], recorded: readonly RecordedEntry[]): Finding[] => {
  const sums = { expected: 0, found: 0, missing: 0, surplus: 0, overlapping: 0, byTimers: 0 };
  for (const { device, watched } of units)
    for (const [channelId, watch] of watched) {
      const expected = expectedEntries(watch, device.measured).map(spanOf);
      const own = recorded.filter((entry) => entry.channelId === channelId);
      const found = own.map(spanOf);
      const missing = expected.filter((span) => !found.includes(span));
      const surplus = found.filter((span) => !expected.includes(span));
      for (const span of [...missing, ...surplus])
        process.stderr.write(
          `  ${watch.name}, channel ${channelId}: ${missing.includes(span) ? "missing" : "surplus"} ${span}\n`,
        );
      sums.expected += expected.length;
      sums.found += found.length;
      sums.missing += missing.length;
      sums.surplus += surplus.length + found.length - new Set(found).size;
      sums.overlapping += overlaps(own);
      sums.byTimers += own.filter(({ raised, received }) => {
        const next = device.measured.find(({ ts, values }) => ts >= raised && values[watch.code] !== undefined);
        return next !== undefined && received < next.ts;
      }).length;
    }
  const { expected, found, missing, surplus, overlapping, byTimers } = sums;
  return [
    {
      promise: "Each occurrence is exactly one entry, with the device's times and the delays, whatever found it",
      counted: `${expected} occurrences, ${found} entries, ${byTimers} of them found by a timer: ${missing} missing, ${surplus} too many`,
      isKept: expected > 0 && missing === 0 && surplus === 0,
    },
    {
      promise: "The entries of a rule never overlap",
      counted: `${overlapping} of ${found} do`,
      isKept: overlapping === 0,
    },
  ];
};
