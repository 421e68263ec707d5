import { type NamedTarget, type OnCall, TargetKind } from "@telltale/contract/domains/alerting/escalation";

/** Somebody whom a step notifies. */
export interface Notified {
  key: string;
  name: string;
  target: NamedTarget;
  /** An earlier step has notified them already: an address is notified once. */
  isAgain: boolean;
}

/** A step as it would go, were an alert raised now. */
export interface Turn {
  /** Counted from 1. */
  step: number;
  /** Minutes from now. */
  at: number;
  /** Empty when it reaches nobody; the next step comes at the same time then. */
  people: readonly Notified[];
}

interface PlannedStep {
  after: number;
  to: readonly NamedTarget[];
}

/** Who is on call by roster: the times from now on, for as long as a plan takes. */
export type OnCallByRoster = ReadonlyMap<number, readonly OnCall[]>;

type Person = Omit<Notified, "isAgain">;

const onCallAt = (target: NamedTarget, rosters: OnCallByRoster, moment: number): Person[] =>
  (rosters.get(target.id) ?? [])
    .filter((span) => span.accountId !== null && span.from.getTime() <= moment && span.to.getTime() > moment)
    .map(({ accountId, name }) => ({ key: `${TargetKind.account}:${accountId}`, name, target }));

const peopleOf = (target: NamedTarget, rosters: OnCallByRoster, moment: number): Person[] => {
  if (target.kind === TargetKind.roster) return onCallAt(target, rosters, moment);
  return target.problem === "" ? [{ key: `${target.kind}:${target.id}`, name: target.name, target }] : [];
};

const minute = 60_000;

/** Who would be notified when, if an alert were raised at `now` (epoch milliseconds) and nobody confirmed it. */
export const raisedNow = (steps: readonly PlannedStep[], rosters: OnCallByRoster, now: number): Turn[] => {
  const known = new Set<string>();
  let early: number | undefined;
  return steps.map(({ after, to }, index) => {
    const at = early ?? after;
    const found = to.flatMap((target) => peopleOf(target, rosters, now + at * minute));
    const people: Notified[] = [];
    for (const person of found) {
      if (people.some(({ key }) => key === person.key)) continue;
      people.push({ ...person, isAgain: known.has(person.key) });
    }
    for (const { key } of people) known.add(key);
    early = people.length === 0 ? at : undefined;
    return { step: index + 1, at, people };
  });
};
