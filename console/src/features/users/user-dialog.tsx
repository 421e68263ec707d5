import { Button } from "@mantine/core";
import type { UserRow } from "@telltale/contract/users";
import { useId } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { StepHead } from "../../ui/step-head.tsx";
import { AssignmentStep } from "./assignment-step.tsx";
import { DetailsStep } from "./details-step.tsx";
import { EditedDetailsStep } from "./edited-details-step.tsx";
import { Step, type UserFlow, useUserFlow } from "./use-user-flow.ts";

const stepNames = ["User details", "Assignment"];

const Content = ({ flow, formId }: { flow: UserFlow; formId: string }) => {
  if (flow.step === Step.assignment) return <AssignmentStep flow={flow} formId={formId} />;
  if (flow.edited) return <EditedDetailsStep flow={flow} edited={flow.edited} formId={formId} />;
  return <DetailsStep flow={flow} formId={formId} />;
};

interface UserDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The user to edit; absent adds one. */
  subject: UserRow | undefined;
}

/** Adds a user in two steps, or edits one, beginning with the second. Give it a new key at each opening. (spec 2 §2) */
export const UserDialog = ({ isOpen, onClose, subject }: UserDialogProps) => {
  const formId = useId();
  const flow = useUserFlow(subject, onClose);
  const isFirst = flow.step === Step.details;
  const action = subject ? "Confirm To update" : "Confirm";
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={subject ? "Edit user" : "Add user"}
      footer={
        <>
          <Button variant="default" onClick={isFirst ? onClose : () => flow.goTo(Step.details)}>
            {isFirst ? "Cancel" : "Back"}
          </Button>
          <Button type="submit" form={formId} loading={flow.isBusy}>
            {isFirst ? "Next" : action}
          </Button>
        </>
      }
    >
      <StepHead steps={stepNames} current={flow.step} />
      <Content key={flow.step} flow={flow} formId={formId} />
      {flow.review}
    </Dialog>
  );
};
