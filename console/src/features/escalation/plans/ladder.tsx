import { IconPlus, IconRefresh, IconX } from "@tabler/icons-react";
import { type NamedTarget, planBounds } from "@telltale/contract/domains/alerting/escalation";
import type { ReactNode } from "react";
import { validationError } from "../../../form/text-field.tsx";
import { IconButton } from "../../../ui/control/icon-button.tsx";
import { TextInput } from "../../../ui/control/text-input.tsx";
import classes from "./ladder.module.css";
import { type DraftStep, type PlanDraft, type PlanErrors, repeatedSteps, waitText, withStep } from "./plan-draft.ts";
import { StepTargets } from "./step-targets.tsx";

/** What is edited and how it changes. */
export interface LadderEdit {
  people: readonly NamedTarget[];
  onChange: (draft: PlanDraft) => void;
}

interface LadderProps {
  draft: PlanDraft;
  errors: PlanErrors;
  /** Undefined for those who only read. */
  edit: LadderEdit | undefined;
}

interface MinutesProps {
  label: string;
  unit?: string;
  value: string;
  error: boolean;
  onChange: (value: string) => void;
}

const Figure = ({ label, unit, value, error, onChange }: MinutesProps) => (
  <TextInput
    aria-label={label}
    inputMode="numeric"
    size="xs"
    value={value}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    rightSection={unit && <span className={classes.unit}>{unit}</span>}
    rightSectionPointerEvents="none"
    className={unit ? classes.minutes : classes.count}
  />
);

interface StepProps extends LadderProps {
  step: DraftStep;
  index: number;
}

const Step = ({ draft, errors, edit, step, index }: StepProps): ReactNode => {
  const change = (changed: DraftStep) =>
    edit?.onChange({ ...draft, steps: draft.steps.map((each) => (each.key === step.key ? changed : each)) });
  const [isFirst, number] = [step.after.trim() === "0", index + 1];
  const wrong = errors[`steps.${index}.after`];
  return (
    <li className={classes.step} data-last={index === draft.steps.length - 1 || undefined}>
      <div className={classes.time}>
        {edit ? (
          <Figure
            label={`Minutes of step ${number}`}
            unit="min"
            value={step.after}
            error={wrong !== undefined}
            onChange={(after) => change({ ...step, after })}
          />
        ) : (
          <b>{waitText(Number(step.after))}</b>
        )}
        <span>{isFirst ? "at once" : "not confirmed"}</span>
      </div>
      <span className={classes.number} data-first={index === 0 || undefined}>
        {number}
      </span>
      <div className={classes.content}>
        <StepTargets
          step={step}
          number={number}
          edit={edit && { people: edit.people, onChange: change }}
          error={wrong ?? errors[`steps.${index}.to`]}
        />
      </div>
      {edit && draft.steps.length > 1 && (
        <IconButton
          aria-label={`Remove step ${number}`}
          onClick={() => edit.onChange({ ...draft, steps: draft.steps.filter(({ key }) => key !== step.key) })}
        >
          <IconX size={15} aria-hidden />
        </IconButton>
      )}
    </li>
  );
};

const Repeat = ({ draft, errors, edit }: LadderProps): ReactNode => {
  const wrong = errors.repeat ?? errors["repeat.every"] ?? errors["repeat.times"];
  const set = (part: Partial<PlanDraft>) => edit?.onChange({ ...draft, ...part });
  return (
    <li className={classes.step} data-repeat>
      <div className={classes.time}>
        {edit ? (
          <label className={classes.repeats}>
            <input
              type="checkbox"
              checked={draft.repeats}
              onChange={({ currentTarget }) => set({ repeats: currentTarget.checked })}
            />
            <b>Repeat</b>
          </label>
        ) : (
          <b>Repeat</b>
        )}
      </div>
      <span className={classes.number}>
        <IconRefresh size={13} aria-hidden />
      </span>
      <div className={classes.content}>
        {draft.repeats && edit && (
          <p className={classes.every}>
            every
            <Figure
              label="Repeat every, in minutes"
              unit="min"
              value={draft.every}
              error={errors["repeat.every"] !== undefined}
              onChange={(every) => set({ every })}
            />
            at most
            <Figure
              label="Repeat at most, times"
              value={draft.times}
              error={errors["repeat.times"] !== undefined}
              onChange={(times) => set({ times })}
            />
            times
          </p>
        )}
        {draft.repeats && !edit && (
          <p className={classes.every}>{`every ${draft.every} min at most ${draft.times} times`}</p>
        )}
        <p className={classes.note}>
          {draft.repeats
            ? `${repeatedSteps(draft.steps.length)}, until somebody confirms`
            : `not repeated: after step ${draft.steps.length} nobody else is notified`}
        </p>
        {wrong && (
          <p className={classes.error} role="alert">
            {validationError(wrong)}
          </p>
        )}
      </div>
    </li>
  );
};

/** The steps of a plan as numbered squares on a line, dashed where it repeats. */
export const Ladder = (props: LadderProps): ReactNode => {
  const { draft, errors, edit } = props;
  return (
    <>
      <ol className={classes.ladder} data-repeats={draft.repeats || undefined} aria-label="Steps">
        {draft.steps.map((step, index) => (
          <Step key={step.key} {...props} step={step} index={index} />
        ))}
        <Repeat {...props} />
      </ol>
      {errors.steps && (
        <p className={classes.error} role="alert">
          {validationError(errors.steps)}
        </p>
      )}
      {edit && draft.steps.length < planBounds.steps && (
        <button type="button" className={classes.addStep} onClick={() => edit.onChange(withStep(draft))}>
          <IconPlus size={14} aria-hidden />
          Add step
        </button>
      )}
    </>
  );
};
