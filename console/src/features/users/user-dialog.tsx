import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import type { UserRow } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { type FormEvent, useEffect, useId, useRef } from "react";
import { SelectField } from "../../form/select-field.tsx";
import { useCall } from "../../session/use-call.ts";
import { Button } from "../../ui/control/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { StepHead } from "../../ui/page/step-head.tsx";
import { AlarmsField } from "./alarms-field.tsx";
import { DetailsStep } from "./details-step.tsx";
import { EditedDetailsStep } from "./edited-details-step.tsx";
import { noDashboard, Step, type UserFlow, useUserFlow } from "./use-user-flow.ts";
import classes from "./user-dialog.module.css";

interface DashboardFieldProps {
  value: number;
  onChange: (dashboardId: number) => void;
}

/** The single dashboard of a viewer. */
const DashboardField = ({ value, onChange }: DashboardFieldProps) => {
  const { data = [], error } = useCall(dashboards.names, {});
  const options = [
    { value: String(noDashboard), label: "The plant's default" },
    ...data.map(({ dashboardId, name }) => ({ value: String(dashboardId), label: name })),
  ];
  return (
    <SelectField
      label="Dashboard"
      description="The one that the Viewer sees"
      data={options}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen ?? noDashboard))}
      error={error?.message}
    />
  );
};

/** What a user type can see without any assignment. */
const seen: Readonly<Record<number, string>> = {
  [Role.owner]: "An Owner sees every dashboard and every device of the plant.",
  [Role.admin]: "An Admin sees every dashboard and every device of the plant.",
  [Role.deviceManager]: "A Device manager sees every dashboard and every device of the plant.",
  [Role.installer]: "An Installer sees alerts and devices, and no dashboard.",
};

/** Step 2: the assignment: alerts, and for a Viewer a dashboard. (spec 2 §6) */
const AssignmentStep = ({ flow, formId }: { flow: UserFlow; formId: string }) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    flow.confirm();
  };
  const email = flow.edited?.userEmail ?? flow.details?.email;
  return (
    <form id={formId} ref={form} tabIndex={-1} className={classes.assignment} onSubmit={submit}>
      <p className={classes.email}>{email}</p>
      {flow.type === Role.viewer ? (
        <DashboardField value={flow.dashboardId} onChange={flow.setDashboardId} />
      ) : (
        <p>{seen[flow.type ?? Role.admin]}</p>
      )}
      <AlarmsField flow={flow} />
      {!flow.edited && <p>An invitation is mailed to this address. The user is Inactive until it is answered.</p>}
    </form>
  );
};

const stepNames = ["User details", "Assignment"];

const Content = ({ flow, formId }: { flow: UserFlow; formId: string }) => {
  if (flow.step === Step.assignment) return <AssignmentStep flow={flow} formId={formId} />;
  if (flow.edited) return <EditedDetailsStep flow={flow} edited={flow.edited} formId={formId} />;
  return <DetailsStep flow={flow} formId={formId} />;
};

interface UserDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The user to edit; absent when adding. */
  subject: UserRow | undefined;
}

/** Adds a user in two steps, or edits one, starting with the second. Give it a new key at each opening. (spec 2 §2) */
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
