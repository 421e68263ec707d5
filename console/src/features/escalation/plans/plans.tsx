import { type Plan, plans } from "@telltale/contract/domains/alerting/escalation";
import { counted } from "@telltale/contract/text/counted";
import { type ReactNode, useState } from "react";
import { useRemoval } from "../../../form/use-confirmed-action.tsx";
import { useSession } from "../../../session/session.ts";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { useBlocker } from "../../../ui/router/use-blocker.ts";
import { changedByPlan } from "../changed-calls.ts";
import { draftOf, type PlanDraft } from "./plan-draft.ts";
import { PlanForm } from "./plan-form.tsx";
import { PlanList } from "./plan-list.tsx";
import classes from "./plans.module.css";
import { WhoIsNotified } from "./who-is-notified.tsx";

/** Asks for confirmation before a plan is deleted. */
const useRemovePlan = () =>
  useRemoval({
    call: plans.remove,
    inputOf: ({ planId }: Plan) => ({ planId }),
    invalidates: changedByPlan,
    title: "Delete plan",
    question: ({ planName, rules }) => (
      <>
        Are you sure that you want to delete this plan?
        <p>
          <b>{planName}</b>
          {rules > 0 && `, ${counted(rules, "rule")}`}. Its alerts follow the default plan then.
        </p>
      </>
    ),
  });

/** Buttons for a plan that is not the default. */
const PlanButtons = ({ plan, onRemove }: { plan: Plan; onRemove: (plan: Plan) => void }): ReactNode => {
  const { mutate, isPending } = useAction(plans.makeDefault, {
    ...{ success: "Modify successful", invalidates: changedByPlan },
  });
  return (
    <div className={classes.buttons}>
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate({ planId: plan.planId })}>
        Make default
      </Button>
      <Button variant="default" size="xs" onClick={() => onRemove(plan)}>
        Delete plan
      </Button>
    </div>
  );
};

interface PlansProps {
  /** The default first. */
  all: readonly Plan[];
  /** How often a new plan was asked for. */
  adding: number;
  /** Epoch milliseconds, at a whole minute. */
  now: number;
}

interface Edited {
  /** The form that it comes from. */
  of: string;
  /** The version of the plan when the editing began. */
  version: number | undefined;
  draft: PlanDraft;
}

/** Asks before edits are given up: for another plan in the list, and for another page. */
const useLeave = (isEdited: boolean) => {
  const page = useBlocker(isEdited);
  const [after, setAfter] = useState<() => void>();
  const stay = () => {
    setAfter(undefined);
    page.stay();
  };
  const leave = () => {
    setAfter(undefined);
    (after ?? page.leave)();
  };
  const dialog = (
    <ConfirmDialog
      isOpen={page.isAsking || after !== undefined}
      onClose={stay}
      title="Discard your input?"
      action="Discard"
      onConfirm={leave}
    >
      The changes of this plan are not saved.
    </ConfirmDialog>
  );
  /** Does it at once, or when the question has been answered. */
  const before = (action: () => void) => (isEdited ? setAfter(() => action) : action());
  return { before, dialog };
};

/** The plans, the steps of the chosen one, and who it would notify now. */
export const Plans = ({ all, adding, now }: PlansProps): ReactNode => {
  const isEditor = useSession().can("plans.write");
  const [chosenId, setChosenId] = useState<number>();
  const [round, setRound] = useState(0);
  const [edited, setEdited] = useState<Edited>();
  const { ask, dialog } = useRemovePlan();
  const [asked, setAsked] = useState(adding);
  const [isAdding, setAdding] = useState(false);
  const plan = isAdding ? undefined : (all.find(({ planId }) => planId === chosenId) ?? all[0]);
  const form = `${plan?.planId} ${round}`;
  const own = edited?.of === form ? edited : undefined;
  const leaving = useLeave(own !== undefined);
  const restart = (planId: number | undefined, isNew = false) => {
    setAdding(isNew);
    setRound(round + 1);
    setEdited(undefined);
    setChosenId(planId);
  };
  if (adding !== asked) {
    setAsked(adding);
    if (!isAdding) leaving.before(() => restart(plan?.planId, true));
  }
  // Another plan may become the default meanwhile, which is shown where none is chosen.
  const edit = (draft: PlanDraft | undefined) => {
    if (plan) setChosenId(plan.planId);
    setEdited(draft && { of: form, version: own ? own.version : plan?.version, draft });
  };
  return (
    <div className={classes.column}>
      <Panel>
        <PlanList plans={all} chosen={plan?.planId} onChoose={(planId) => leaving.before(() => restart(planId))} />
        <PlanForm
          // Another user's changes do not alter a form that holds edits; without edits it shows them.
          key={`${form} ${own ? own.version : plan?.version}`}
          plan={plan}
          isEditor={isEditor}
          onDraft={edit}
          onSaved={(planId) => restart(planId)}
          onCancel={() => restart(plan?.planId ?? chosenId)}
        />
        {isEditor && plan && !plan.isDefault && !own && <PlanButtons plan={plan} onRemove={ask} />}
      </Panel>
      <WhoIsNotified draft={own?.draft ?? draftOf(plan)} now={now} />
      {leaving.dialog}
      {dialog}
    </div>
  );
};
