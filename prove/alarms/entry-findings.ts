import type { Finding } from "../finding.ts";
import type { AlarmedUnit } from "./alarmed-unit.ts";
import { type Entry, expectedEntries } from "./expected-entries.ts";
import type { RecordedEntry } from "./recorded.ts";
import type { Watch } from "./watch.ts";

const spanOf = ({ raised, cleared }: Entry): string => `${raised} ${cleared ?? "open"}`;

/** Whether an entry begins before the one before it has ended. */
const overlaps = (entries: readonly Entry[]): number =>
  entries
    .toSorted((one, other) => one.raised - other.raised)
    .filter(({ raised }, at, sorted) => {
      const before = sorted[at - 1];
      return before !== undefined && (before.cleared === undefined || before.cleared > raised);
    }).length;

/** A reading that arrives more than this after its time is late, milliseconds. */
const late = 1_000;

/** Whether a timer raised an entry before the reading arrived, late, that proves that the condition had ended: what is raised is not taken back. */
const isBeforeLateReading = ({ device }: AlarmedUnit, { code, onDelay }: Watch, { raised, received }: RecordedEntry) =>
  device.measured.some(({ ts, values }, at) => {
    const arrived = device.acknowledgedAt[at] ?? 0;
    return (
      values[code] !== undefined && ts > raised - onDelay && ts < raised && arrived > received && arrived - ts > late
    );
  });

/** Compares the entries with what the devices have measured. */
export const entryFindings = (units: readonly AlarmedUnit[], recorded: readonly RecordedEntry[]): Finding[] => {
  const sums = { expected: 0, found: 0, missing: 0, surplus: 0, late: 0, overlapping: 0, byTimers: 0 };
  for (const unit of units)
    for (const [channelId, watch] of unit.watched) {
      const { device } = unit;
      const expected = expectedEntries(watch, device.measured).map(spanOf);
      const own = recorded.filter((entry) => entry.channelId === channelId);
      const found = own.map(spanOf);
      const missing = expected.filter((span) => !found.includes(span));
      const other = own.filter((entry) => !expected.includes(spanOf(entry)));
      const tooEarly = other.filter((entry) => isBeforeLateReading(unit, watch, entry));
      const surplus = other.filter((entry) => !tooEarly.includes(entry)).map(spanOf);
      sums.late += tooEarly.length;
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
  const tooEarly =
    sums.late > 0 ? `, ${sums.late} raised by a timer before a reading that came more than a second late` : "";
  return [
    {
      promise: "Each occurrence is exactly one entry, with the device's times and the delays, whatever found it",
      counted: `${expected} occurrences, ${found} entries, ${byTimers} of them found by a timer: ${missing} missing, ${surplus} too many${tooEarly}`,
      isKept: expected > 0 && missing === 0 && surplus === 0,
    },
    {
      promise: "The entries of a rule never overlap",
      counted: `${overlapping} of ${found} do`,
      isKept: overlapping === 0,
    },
  ];
};
