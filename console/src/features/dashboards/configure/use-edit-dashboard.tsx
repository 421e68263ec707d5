import { Button, Loader } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Input } from "@telltale/contract/call";
import { Code } from "@telltale/contract/codes";
import { type DashboardInfo, type DashboardRow, dashboards } from "@telltale/contract/dashboards";
import { type ReactNode, useCallback, useId, useState } from "react";
import { callQuery, useAction, useCall } from "../../../session/use-call.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { ErrorState } from "../../../ui/message.tsx";
import { changedCalls } from "./changed-calls.ts";
import { DashboardForm } from "./dashboard-form.tsx";

interface DashboardDialogProps {
  /** Undefined makes a new one. */
  dashboardId: number | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** A dashboard as it is at the opening: never what was loaded for an earlier one. */
const useOpened = (dashboardId: number | undefined) => {
  const info = useCall(
    dashboards.info,
    { dashboardId: dashboardId ?? 0 },
    {
      enabled: dashboardId !== undefined,
      placeholderData: undefined as never,
      refetchOnMount: "always",
      refetchOnWindowFocus: false,
    },
  );
  const [loaded, setLoaded] = useState<typeof info.data>();
  if (loaded === undefined && info.data && info.isFetchedAfterMount) setLoaded(info.data);
  return { loaded, isReady: dashboardId === undefined || loaded !== undefined, error: info.error, retry: info.refetch };
};

/** Saves. When somebody else was faster, what was typed stays, and a second 'Save' goes on top of theirs. */
const useSave = (loaded: DashboardInfo | undefined, onDone: () => void) => {
  const queries = useQueryClient();
  const [newer, setNewer] = useState<number>();
  const action = useAction(dashboards.edit, {
    success: loaded ? "Modify successful" : "Add success",
    invalidates: changedCalls,
    onDone,
  });
  const save = (fields: Input<typeof dashboards.edit>) => {
    if (!loaded) return action.mutate(fields);
    const { dashboardId, version } = loaded;
    const onError = async ({ code }: { code: number }) => {
      if (code !== Code.conflict) return;
      void queries.invalidateQueries({ queryKey: [dashboards.list.path] });
      const query = { ...callQuery(dashboards.info, { dashboardId }), staleTime: 0 };
      setNewer((await queries.fetchQuery(query)).version);
    };
    return action.mutate({ ...fields, dashboardId, version: newer ?? version }, { onError });
  };
  return { save, isBusy: action.isPending };
};

/** Adds a dashboard or changes one. */
const DashboardDialog = ({ dashboardId, isOpen, onClose }: DashboardDialogProps): ReactNode => {
  const formId = useId();
  const { loaded, isReady, error, retry } = useOpened(dashboardId);
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
