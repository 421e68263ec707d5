import { IconAlertTriangle } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { planBounds, rosters, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import type { ReactNode } from "react";
import { callQuery } from "../../../session/use-call.ts";
import { hourMinute } from "../../../ui/format/time.ts";
import { Panel } from "../../../ui/page/panel.tsx";
import { fieldsOf, type PlanDraft } from "./plan-draft.ts";
import { type Notified, type OnCallByRoster, raisedNow, type Turn } from "./raised-now.ts";
import { TargetIcon } from "./target-icon.tsx";
import classes from "./who-is-notified.module.css";

const minute = 60_000;

/** Who is on call by the rosters that the plan names, from now until its last possible step. */
const useOnCall = (draft: PlanDraft, now: number): { rosters: OnCallByRoster; isLoading: boolean } => {
  const targets = draft.steps.flatMap(({ to }) => to).filter(({ kind }) => kind === TargetKind.roster);
  const ids = [...new Set(targets.map(({ id }) => id))];
  const [from, to] = [new Date(now), new Date(now + (planBounds.longestWait + 1) * minute)];
  return useQueries({
    queries: ids.map((rosterId) => callQuery(rosters.onCall, { rosterId, from, to })),
    combine: (answers) => ({
      rosters: new Map(ids.map((id, at) => [id, answers[at]?.data ?? []])),
      isLoading: answers.some(({ isPending }) => isPending),
    }),
  });
};

const Person = ({ person: { name, target, isAgain } }: { person: Notified }) => (
  <>
    <span className={classes.name}>
      {name}
      {isAgain && <span> notified already</span>}
    </span>
    <span className={classes.by}>
      <TargetIcon kind={target.kind} />
      {target.kind === TargetKind.roster ? target.name : ""}
    </span>
  </>
);

const rowsOf = ({ step, at, people }: Turn, isLast: boolean, now: number): ReactNode => {
  const time = hourMinute(now + at * minute);
  if (people.length > 0)
    return people.map((person) => (
      <li key={`${step} ${person.key}`}>
        <time>{time}</time>
        <Person person={person} />
      </li>
    ));
  return (
    <li key={step} className={classes.nobody}>
      <time>{time}</time>
      <span>
        <IconAlertTriangle size={15} aria-hidden />
        {isLast ? `Step ${step} reaches nobody` : `Step ${step} reaches nobody: step ${step + 1} is notified at once`}
      </span>
    </li>
  );
};

interface WhoIsNotifiedProps {
  draft: PlanDraft;
  /** Epoch milliseconds, at a whole minute. */
  now: number;
}

/** Who would be notified when, by the plan as it is edited, if an alert were raised now. */
export const WhoIsNotified = ({ draft, now }: WhoIsNotifiedProps): ReactNode => {
  const { rosters: onCall, isLoading } = useOnCall(draft, now);
  const steps = fieldsOf(draft).steps.map(({ after }, at) => ({ after, to: draft.steps[at]?.to ?? [] }));
  const isTimed = steps.every(({ after }) => Number.isFinite(after));
  const turns = isTimed && !isLoading ? raisedNow(steps, onCall, now) : [];
  return (
    <Panel title="Raised now" aside={<span className={classes.aside}>who would be notified</span>}>
      <ul className={classes.list} aria-label="Who would be notified">
        {turns.map((turn) => rowsOf(turn, turn.step === turns.length, now))}
      </ul>
    </Panel>
  );
};
