import { Checkbox } from "@mantine/core";
import { type Plan, plans } from "@telltale/contract/domains/alerting/escalation";
import { type ReactNode, useState } from "react";
import type { MergeGroup } from "../../../form/merge.ts";
import { TextField } from "../../../form/text-field.tsx";
import { useMergedSave } from "../../../form/use-merged-save.tsx";
import { useAction, useCall, useRead } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { changedByPlan } from "../changed-calls.ts";
import { Ladder } from "./ladder.tsx";
import {
  draftOf,
  errorsOf,
  fieldsOf,
  type PlanDraft,
  type PlanErrors,
  type PlanFields,
  waitText,
} from "./plan-draft.ts";
import classes from "./plan-form.module.css";

const fieldsOfPlan = (plan: Plan): PlanFields => fieldsOf(draftOf(plan));

const stepsText = (steps: readonly { after: number; to: readonly unknown[] }[]): string =>
  steps.map(({ after, to }) => `${waitText(after)}: ${to.length} notified`).join(", ");

const groups: MergeGroup<PlanFields, Plan>[] = [
  { label: "Name of the plan", keys: ["planName"], text: ({ planName }) => planName },
  {
    label: "Steps",
    keys: ["steps"],
    isOrdered: true,
    text: ({ steps }, row) =>
      row
        ? row.steps.map(({ after, to }) => `${waitText(after)}: ${to.map(({ name }) => name).join(", ")}`).join("; ")
        : `${stepsText(steps)}, as in the form`,
  },
  {
    label: "Repeat",
    keys: ["repeat"],
    text: ({ repeat }) => (repeat ? `every ${repeat.every} min at most ${repeat.times} times` : "not repeated"),
  },
  {
    label: "Back to normal",
    keys: ["backToNormal", "backToNormalBySms"],
    text: ({ backToNormal, backToNormalBySms }) =>
      backToNormal ? (backToNormalBySms ? "notified, by SMS too" : "notified, not by SMS") : "not notified",
  },
];

/** Saves; on a conflict the other user's changes are shown beside the form's. */
const useSave = (plan: Plan | undefined, onSaved: (planId: number) => void, onGone: () => void) => {
  const add = useAction(plans.add, { success: "Add success", invalidates: changedByPlan });
  const update = useAction(plans.update, { success: "Modify successful", invalidates: changedByPlan });
  const read = useRead(plans.list);
  const isBusy = add.isPending || update.isPending;
  const { save, dialog } = useMergedSave<PlanFields, Plan>({
    opened: plan,
    fieldsOf: fieldsOfPlan,
    groups,
    read: async () => (await read({})).find(({ planId }) => planId === plan?.planId),
    invalidates: changedByPlan,
    send: (fields, version, onError) => {
      if (!plan) return add.mutate(fields, { onSuccess: ({ planId }) => onSaved(planId) });
      const { planId } = plan;
      update.mutate(
        { ...fields, planId, ...(version !== undefined && { version }) },
        { onSuccess: () => onSaved(planId), onError },
      );
    },
    isBusy,
    onGone,
  });
  return { save, review: dialog, isBusy };
};

interface BackToNormalProps {
  draft: PlanDraft;
  onChange: ((draft: PlanDraft) => void) | undefined;
}

const BackToNormal = ({ draft, onChange }: BackToNormalProps) => (
  <div className={classes.settings}>
    <Checkbox
      label="Notify whoever was notified that it is back to normal"
      checked={draft.backToNormal}
      disabled={!onChange}
      onChange={({ currentTarget }) => onChange?.({ ...draft, backToNormal: currentTarget.checked })}
    />
    <Checkbox
      label="By SMS too"
      checked={draft.backToNormal && draft.backToNormalBySms}
      disabled={!onChange || !draft.backToNormal}
      onChange={({ currentTarget }) => onChange?.({ ...draft, backToNormalBySms: currentTarget.checked })}
    />
    <p>The recipients of an alert's own rule are notified with step 1, each address once.</p>
  </div>
);

interface PlanFormProps {
  /** As it was when the form opened; undefined for a new one. */
  plan: Plan | undefined;
  isEditor: boolean;
  /** Undefined: the edits have been undone. */
  onDraft: (draft: PlanDraft | undefined) => void;
  onSaved: (planId: number) => void;
  /** The edits are given up, or the plan has been deleted. */
  onCancel: () => void;
}

/** A plan, edited in place. Give it a new key for another plan, and after a save. */
export const PlanForm = ({ plan, isEditor, onDraft, onSaved, onCancel }: PlanFormProps): ReactNode => {
  const [opened] = useState(plan);
  const [initial] = useState(() => draftOf(plan));
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<PlanErrors>({});
  const { data: people = [] } = useCall(plans.people, {});
  const { save, review, isBusy } = useSave(opened, onSaved, onCancel);
  const differs = (from: PlanDraft) => opened === undefined || JSON.stringify(from) !== JSON.stringify(initial);
  const change = (next: PlanDraft) => {
    setDraft(next);
    setErrors({});
    onDraft(differs(next) ? next : undefined);
  };
  const submit = () => {
    const found = errorsOf(draft);
    setErrors(found);
    if (Object.keys(found).length === 0) save(fieldsOf(draft));
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isEditor && (
        <div className={classes.name}>
          <TextField
            label="Name of the plan"
            value={draft.planName}
            onChange={({ currentTarget }) => change({ ...draft, planName: currentTarget.value })}
            error={errors.planName}
            maxLength={64}
            autoComplete="off"
            autoFocus={plan === undefined}
          />
        </div>
      )}
      <Ladder draft={draft} errors={errors} edit={isEditor ? { people, onChange: change } : undefined} />
      <BackToNormal draft={draft} onChange={isEditor ? change : undefined} />
      {isEditor && differs(draft) && (
        <div className={classes.footer}>
          <Button variant="default" size="xs" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" size="xs" loading={isBusy}>
            Save
          </Button>
        </div>
      )}
      {review}
    </form>
  );
};
