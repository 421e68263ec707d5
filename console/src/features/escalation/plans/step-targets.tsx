import { Select } from "@mantine/core";
import { IconAlertTriangle, IconPlus, IconX } from "@tabler/icons-react";
import type { NamedTarget } from "@telltale/contract/domains/alerting/escalation";
import { type ReactNode, useState } from "react";
import { fieldClasses, validationError } from "../../../form/text-field.tsx";
import classes from "./ladder.module.css";
import { type DraftStep, names, withoutTarget, withTarget } from "./plan-draft.ts";
import { kindLabels, TargetIcon } from "./target-icon.tsx";

const keyOf = ({ kind, id }: NamedTarget): string => `${kind}:${id}`;

interface AddTargetProps {
  step: DraftStep;
  number: number;
  people: readonly NamedTarget[];
  onAdd: (target: NamedTarget) => void;
  onClose: () => void;
}

/** Everybody who can be notified, by kind, searched by name. */
const AddTarget = ({ step, number, people, onAdd, onClose }: AddTargetProps) => {
  const offered = people.filter((target) => !names(step, target));
  const groups = [...new Set(offered.map(({ kind }) => kindLabels[kind]))].map((group) => ({
    group,
    items: offered
      .filter(({ kind }) => kindLabels[kind] === group)
      .map((target) => ({
        value: keyOf(target),
        label: target.problem === "" ? target.name : `${target.name}: ${target.problem}`,
      })),
  }));
  return (
    <Select
      aria-label={`Add to step ${number}`}
      placeholder="User, contact or roster"
      data={groups}
      value={null}
      onChange={(key) => {
        const chosen = offered.find((target) => keyOf(target) === key);
        if (chosen) onAdd(chosen);
      }}
      searchable
      autoFocus
      defaultDropdownOpened
      onDropdownClose={onClose}
      nothingFoundMessage="Nobody of this name"
      className={classes.adding}
      classNames={{ input: fieldClasses.input ?? "" }}
    />
  );
};

interface StepTargetsProps {
  step: DraftStep;
  number: number;
  /** Undefined for those who only read. */
  edit: { people: readonly NamedTarget[]; onChange: (step: DraftStep) => void } | undefined;
  error: string | undefined;
}

/** Whom a step notifies, as chips, and why some are not notified now. */
export const StepTargets = ({ step, number, edit, error }: StepTargetsProps): ReactNode => {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <ul className={classes.chips} aria-label={`Notified by step ${number}`}>
        {step.to.map((target) => (
          <li key={keyOf(target)} className={classes.chip}>
            <TargetIcon kind={target.kind} />
            <span>{target.name}</span>
            {edit && (
              <button
                type="button"
                aria-label={`Remove ${target.name} from step ${number}`}
                onClick={() => edit.onChange(withoutTarget(step, target))}
              >
                <IconX size={13} aria-hidden />
              </button>
            )}
          </li>
        ))}
        {edit && !isAdding && (
          <li>
            <button
              type="button"
              className={classes.add}
              aria-label={`Add to step ${number}`}
              onClick={() => setAdding(true)}
            >
              <IconPlus size={14} aria-hidden />
            </button>
          </li>
        )}
      </ul>
      {edit && isAdding && (
        <AddTarget
          step={step}
          number={number}
          people={edit.people}
          onAdd={(target) => {
            edit.onChange(withTarget(step, target));
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {step.to
        .filter(({ problem }) => problem !== "")
        .map((target) => (
          <p key={keyOf(target)} className={classes.problem}>
            <IconAlertTriangle size={15} aria-hidden />
            {target.name}: {target.problem}
          </p>
        ))}
      {error && (
        <p className={classes.error} role="alert">
          {validationError(error)}
        </p>
      )}
    </>
  );
};
