import type { Finding } from "../finding.ts";
import type { AlarmedUnit, Told } from "./alarmed-unit.ts";
import type { Recorded, RecordedEntry, RecordedMessage } from "./recorded.ts";
import type { ServiceTimes } from "./service-times.ts";

/** An entry with the messages about it and the people of its device. */
interface ToldEntry {
  entry: RecordedEntry;
  told: Told;
  messages: readonly RecordedMessage[];
}

const minute = 60_000;
/** How long the server must have worked after a step was due, milliseconds: its job looks each second. */
const enough = 5_000;

const toldEntries = (units: readonly AlarmedUnit[], { entries, messages }: Recorded): ToldEntry[] => {
  const byAlert = Map.groupBy(messages, ({ alertId }) => alertId);
  return units.flatMap(({ told, watched }) =>
    entries
      .filter(({ channelId }) => watched.has(channelId))
      .map((entry) => ({ entry, told, messages: byAlert.get(entry.id) ?? [] })),
  );
};

/** Messages of a plan's first round to an address. */
const stepsTo = ({ messages }: ToldEntry, email: string): RecordedMessage[] =>
  messages.filter(({ recipient, round }) => recipient === email && round === 0);
const normalTo = ({ messages }: ToldEntry, email: string): RecordedMessage[] =>
  messages.filter(({ recipient, round }) => recipient === email && round === -1);

const peopleOf = ({ own, steps }: Told): string[] => [own, ...steps.map(({ email }) => email)];

/** How often each person was told who is told at once: the rule's recipient, and the first step's. */
const toldAtOnce = (each: ToldEntry): number[] => [
  stepsTo(each, each.told.own).length,
  ...each.told.steps.filter(({ after }) => after === 0).map(({ email }) => stepsTo(each, email).length),
];

/** Whether a later step was sent. */
const isEscalated = (each: ToldEntry): boolean =>
  each.told.steps.some(({ after, email }) => after > 0 && stepsTo(each, email).length > 0);

/** `maySkip`: where a later step was sent instead, as if there had been a stop, the first one may be missing. */
const firstFinding = (all: readonly ToldEntry[], maySkip = false): Finding => {
  const sums = { wanted: 0, missing: 0, repeated: 0, skipped: 0 };
  for (const each of all) {
    const counts = toldAtOnce(each);
    const missing = counts.filter((count) => count === 0).length;
    const isSkipped = maySkip && counts[0] === 1 && missing > 0 && isEscalated(each);
    if (missing > 0) process.stderr.write(`  Missing at once: ${JSON.stringify(each)}\n`);
    sums.wanted += counts.length;
    sums.missing += isSkipped ? 0 : missing;
    sums.skipped += isSkipped ? missing : 0;
    sums.repeated += counts.filter((count) => count > 1).length;
  }
  const { wanted, missing, repeated, skipped } = sums;
  const instead = skipped > 0 ? `, ${skipped} skipped for a later step that was due by the clock set forward` : "";
  return {
    promise: "Each entry is exactly one message to its rule's recipient and to each person of the first step",
    counted: `${all.length} entries, ${wanted} messages expected: ${missing} missing, ${repeated} repeated${instead}`,
    isKept: all.length > 0 && missing === 0 && repeated === 0,
  };
};

/** Until when an entry waited at least: it was not confirmed, and by the device's readings it stood. */
const waitedUntil = ({ entry }: ToldEntry, now: number): number =>
  Math.min(entry.confirmed ?? Number.POSITIVE_INFINITY, entry.cleared ?? now);

interface LaterStep {
  count: number;
  isEarly: boolean;
  /** The server worked while it was due and the entry waited. */
  isWanted: boolean;
}

const laterSteps = (each: ToldEntry, service: ServiceTimes, now: number): LaterStep[] => {
  const { received } = each.entry;
  const until = waitedUntil(each, now);
  return each.told.steps.flatMap(({ after, email }, at) => {
    if (after === 0) return [];
    const due = received + after * minute;
    const next = each.told.steps[at + 1];
    const end = Math.min(until, next ? received + next.after * minute : until);
    const messages = stepsTo(each, email);
    const isEarly = messages.some(({ created }) => created < due);
    return [{ count: messages.length, isEarly, isWanted: end > due && service.hasWorked(due, end, enough) }];
  });
};

/** What the times of messages are compared with. */
interface Timed {
  service: ServiceTimes;
  /** When the confirmations of entries were answered, by the entries' ids. */
  confirmed: ReadonlyMap<number, number>;
  now: number;
}

/** The steps that come while nobody confirms. */
const laterFindings = (all: readonly ToldEntry[], { service, confirmed, now }: Timed): Finding[] => {
  const steps = all.flatMap((each) => laterSteps(each, service, now));
  const sent = steps.filter(({ count }) => count > 0).length;
  const missing = steps.filter(({ count, isWanted }) => isWanted && count === 0).length;
  const repeated = steps.filter(({ count }) => count > 1).length;
  const early = steps.filter(({ isEarly }) => isEarly).length;
  const after = all.flatMap(({ entry, messages }) =>
    messages.filter(
      ({ round, created }) => round >= 0 && created > (confirmed.get(entry.id) ?? Number.POSITIVE_INFINITY),
    ),
  ).length;
  const wanted = steps.filter(({ isWanted }) => isWanted).length;
  return [
    {
      promise: "While nobody confirms, each further step is exactly one message a person, at its time",
      counted: `${sent} messages, ${wanted} of them due while the server worked: ${missing} missing, ${repeated} repeated, ${early} too early`,
      isKept: sent > 0 && missing === 0 && repeated === 0 && early === 0,
    },
    {
      promise: "A confirmed entry gets no further step",
      counted: `${confirmed.size} confirmed, ${after} messages after that`,
      isKept: confirmed.size > 0 && after === 0,
    },
  ];
};

/** 'Back to normal' to whoever got a message while it stood; a message that waits for a summary says itself that it is over. */
const normalFinding = (all: readonly ToldEntry[]): Finding => {
  const sums = { sent: 0, missing: 0, repeated: 0, uncalled: 0, before: 0 };
  for (const each of all)
    for (const email of peopleOf(each.told)) {
      const [normal] = normalTo(each, email);
      const steps = stepsTo(each, email);
      const { cleared } = each.entry;
      const isTold = steps.some(({ status, sent }) => status === "sent" && (sent ?? 0) < (cleared ?? 0));
      sums.sent += normal ? 1 : 0;
      sums.missing += isTold && !normal ? 1 : 0;
      sums.repeated += normalTo(each, email).length > 1 ? 1 : 0;
      sums.uncalled += normal && (steps.length === 0 || cleared === undefined) ? 1 : 0;
      sums.before += steps.some(({ id }) => normal && id > normal.id) ? 1 : 0;
    }
  const { sent, missing, repeated, uncalled, before } = sums;
  return {
    promise: "'Back to normal' goes once to each person who was notified, and no step follows it",
    counted: `${sent} messages: ${missing} missing, ${repeated} repeated, ${uncalled} to people who were not notified, ${before} followed by a step`,
    isKept: sent > 0 && missing + repeated + uncalled + before === 0,
  };
};

/** Compares the messages with the entries, after a time in which the server's clock was right. */
export const messageFindings = (units: readonly AlarmedUnit[], recorded: Recorded, timed: Timed): Finding[] => {
  const all = toldEntries(units, recorded);
  return [firstFinding(all), ...laterFindings(all, timed), normalFinding(all)];
};

/** The same where it was set, so that steps have no times to compare with. */
export const untimedMessageFindings = (units: readonly AlarmedUnit[], recorded: Recorded): Finding[] => {
  const groups = Map.groupBy(
    recorded.messages.filter(({ alertId }) => alertId !== undefined),
    ({ alertId, round, recipient }) => `${alertId} ${round} ${recipient}`,
  );
  const repeated = [...groups.values()].filter(({ length }) => length > 1).length;
  return [
    firstFinding(toldEntries(units, recorded), true),
    {
      promise: "Each step, and 'back to normal', is at most one message a person",
      counted: `${groups.size} messages, ${repeated} repeated`,
      isKept: groups.size > 0 && repeated === 0,
    },
  ];
};
