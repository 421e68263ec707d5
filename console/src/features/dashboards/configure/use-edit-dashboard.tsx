import { Button, Loader } from "@mantine/core";
import type { Input } from "@telltale/contract/call";
import { type DashboardInfo, type DashboardRow, dashboards } from "@telltale/contract/dashboards";
import { type ReactNode, useCallback, useId, useState } from "react";
import { useAction } from "../../../session/use-call.ts";
import { useNewerVersion, useOpened } from "../../../session/use-opened.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorState } from "../../../ui/message.tsx";
import { dashboardCalls } from "./changed-calls.ts";
import { DashboardForm } from "./dashboard-form.tsx";

interface DashboardDialogProps {
  /** Undefined makes a new one. */
  dashboardId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** Saves; when somebody else was faster, what was typed stays. */
const useSave = (loaded: DashboardInfo | undefined, onDone: () => void) => {
  const newer = useNewerVersion({
    call: dashboards.info,
    input: loaded && { dashboardId: loaded.dashboardId },
    version: loaded?.version,
    invalidates: [dashboards.list],
  });
  const action = useAction(dashboards.edit, {
    success: loaded ? "Modify successful" : "Add success",
    invalidates: dashboardCalls,
    onDone,
  });
  const save = (fields: Input<typeof dashboards.edit>) => {
    if (!loaded) return action.mutate(fields);
    const { version, onError } = newer;
    return action.mutate({ ...fields, dashboardId: loaded.dashboardId, version: version as number }, { onError });
  };
  return { save, isBusy: action.isPending };
};

/** Adds a dashboard or changes one. */
const DashboardDialog = ({ dashboardId, isOpen, onClose }: DashboardDialogProps): ReactNode => {
  const formId = useId();
  const { loaded, isReady, error, retry } = useOpened(
    dashboards.info,
    dashboardId === undefined ? undefined : { dashboardId },
  );
  const { save, isBusy } = useSave(loaded, onClose);
  const footer = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} loading={isBusy} disabled={!isReady}>
        Save
      </Button>
    </>
  );
  const title = dashboardId === undefined ? "Add dashboard" : "Edit dashboard";
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} footer={footer}>
      {isReady && <DashboardForm initial={loaded} formId={formId} onSave={save} />}
      {!isReady && error && <ErrorState error={error} onRetry={retry} />}
      {!isReady && !error && <Loader size={20} aria-label="Loading" />}
    </Dialog>
  );
};

/** Opens the form for a new dashboard, or for one that is there. */
export const useEditDashboard = (): { add: () => void; edit: (dashboard: DashboardRow) => void; dialog: ReactNode } => {
  const [opening, setOpening] = useState<{ key: number; dashboardId: number | undefined }>();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback((dashboardId: number | undefined) => {
    setOpening((before) => ({ key: (before?.key ?? 0) + 1, dashboardId }));
    setOpen(true);
  }, []);
  return {
    add: useCallback(() => open(undefined), [open]),
    edit: useCallback((dashboard) => open(dashboard.dashboardId), [open]),
    dialog: opening && (
      <DashboardDialog
        key={opening.key}
        dashboardId={opening.dashboardId}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    ),
  };
};
