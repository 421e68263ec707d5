import { Role } from "@telltale/contract/permissions";
import { type FormEvent, useEffect, useRef } from "react";
import { AlarmsField } from "./alarms-field.tsx";
import { DashboardField } from "./dashboard-field.tsx";
import type { UserFlow } from "./use-user-flow.ts";
import classes from "./user-dialog.module.css";

/** What a user type sees without anything being assigned. */
const seen: Readonly<Record<number, string>> = {
  [Role.admin]: "An Admin sees every dashboard and every device of the plant.",
  [Role.deviceManager]: "A Device manager sees every dashboard and every device of the plant.",
  [Role.installer]: "An Installer sees alerts and devices, and no dashboard.",
};

/** Step 2: what is assigned to the user: alerts, and to a Viewer a dashboard. (spec 2 §6) */
export const AssignmentStep = ({ flow, formId }: { flow: UserFlow; formId: string }) => {
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
