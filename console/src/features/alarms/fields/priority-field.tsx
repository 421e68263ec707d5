import { AlertPriority } from "@telltale/contract/domains/alerts";
import { type ReactNode, useState } from "react";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { ChoiceRow } from "../../../form/choice-row.tsx";
import { type Consequence, consequences, priorityOf, type TimeToAct, timesToAct } from "./priority.rules.ts";
import classes from "./priority-field.module.css";

interface Answers {
  consequence: Consequence | undefined;
  time: TimeToAct | undefined;
}

/** The nine outcomes, with the one of the answers marked. The answers say the same in words. */
const Outcomes = ({ consequence, time }: Answers) => (
  <div className={classes.outcomes} aria-hidden="true">
    <span />
    {timesToAct.map(({ value, short }) => (
      <span key={value}>{short}</span>
    ))}
    {consequences.map((row) => [
      <span key={row.value} className={classes.row}>
        {row.short}
      </span>,
      ...timesToAct.map((column) => (
        <i
          key={`${row.value} ${column.value}`}
          data-chosen={(row.value === consequence && column.value === time) || undefined}
        >
          <PriorityPlate priority={priorityOf(row.value, column.value)} />
        </i>
      )),
    ])}
  </div>
);

const meanings: Record<AlertPriority, string> = {
  [AlertPriority.high]: "Comes first in every list of alerts",
  [AlertPriority.medium]: "Comes after P1",
  [AlertPriority.low]: "Comes last",
};

/** The priority, by two questions; only the outcome is stored, so an existing alert keeps its own until both are answered. */
export const PriorityField = ({
  initial = AlertPriority.medium,
}: {
  initial: AlertPriority | undefined;
}): ReactNode => {
  const [answers, setAnswers] = useState<Answers>({ consequence: undefined, time: undefined });
  const { consequence, time } = answers;
  const isAnswered = consequence !== undefined && time !== undefined;
  const priority = isAnswered ? priorityOf(consequence, time) : initial;
  return (
    <section className={classes.priority} aria-label="Priority">
      <input type="hidden" name="priority" value={priority} />
      <div className={classes.questions}>
        <ChoiceRow
          label="If nobody acts, what suffers?"
          options={consequences}
          value={consequence}
          onChange={(chosen) => setAnswers({ ...answers, consequence: chosen })}
        />
        <ChoiceRow
          label="How long is there to act?"
          options={timesToAct}
          value={time}
          onChange={(chosen) => setAnswers({ ...answers, time: chosen })}
        />
      </div>
      <Outcomes {...answers} />
      <p className={classes.outcome} role="status">
        <PriorityPlate priority={priority} />
        <span>
          {meanings[priority]}
          {!isAnswered && ". Answer both questions to change it"}
        </span>
      </p>
    </section>
  );
};
