import type { Input } from "@telltale/contract/call/call";
import { type DashboardInfo, type DashboardRow, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { type ReactNode, useCallback, useId } from "react";
import type { MergeGroup } from "../../../form/merge.ts";
import { useMergedSave } from "../../../form/use-merged-save.tsx";
import { useAction, useCall, useRead } from "../../../session/use-call.ts";
import { useEditRecord } from "../../../session/use-edit-record.ts";
import { Loader } from "../../../ui/control/loader.tsx";
import { SubmitDialog } from "../../../ui/dialog/submit-dialog.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { dashboardCalls } from "./changed-calls.ts";
import { DashboardForm } from "./dashboard-form.tsx";

interface DashboardDialogProps {
  /** Undefined creates a new one. */
  dashboardId: number | undefined;
  isOpen: boolean;
  /** Whether everything that determines the form's height is loaded. */
  isWhole: boolean;
  onClose: () => void;
}

type Fields = Input<typeof dashboards.edit>;

const fieldsOf = ({ name, notes, status, ...shown }: DashboardInfo): Fields => {
  const { deviceChannelIds, dashboardGroupIds, deviceIds } = shown;
  return { name, notes, status: status === 1 ? 1 : 0, deviceChannelIds, dashboardGroupIds, deviceIds };
};

const tilesIn = ({ deviceChannelIds = [], dashboardGroupIds = [], deviceIds = [] }: Fields): string =>
  `${deviceChannelIds.length + dashboardGroupIds.length + deviceIds.length} tiles, as chosen in the form`;

const groups: MergeGroup<Fields, DashboardInfo>[] = [
  { label: "Name", keys: ["name"], text: ({ name }) => name },
  { label: "Notes", keys: ["notes"], text: ({ notes = "" }) => notes },
  { label: "Default dashboard", keys: ["status"], text: ({ status }) => (status === 1 ? "Yes" : "No") },
  {
    label: "Tiles",
    keys: ["deviceChannelIds", "dashboardGroupIds", "deviceIds"],
    text: (fields, row) => row?.dashboardChannelList.map(({ name }) => name).join(", ") ?? tilesIn(fields),
  },
];

/** Saves; on a conflict the other user's changes are shown beside the form's. */
const useSave = (loaded: DashboardInfo | undefined, onDone: () => void) => {
  const action = useAction(dashboards.edit, {
    success: loaded ? "Modify successful" : "Add success",
    invalidates: dashboardCalls,
    onDone,
  });
  const id = loaded && { dashboardId: loaded.dashboardId };
  const read = useRead(dashboards.info);
  const { save, dialog } = useMergedSave<Fields, DashboardInfo>({
    opened: loaded,
    fieldsOf,
    groups,
    read: async () => id && read(id),
    invalidates: [dashboards.list],
    send: (fields, version, onError) =>
      action.mutate({ ...fields, ...id, ...(version !== undefined && { version }) }, { onError }),
    isBusy: action.isPending,
  });
  return { save, review: dialog, isBusy: action.isPending };
};

/** Adds or edits a dashboard. */
const DashboardDialog = ({ dashboardId, isOpen, isWhole, onClose }: DashboardDialogProps): ReactNode => {
  const formId = useId();
  const { loaded, isReady, error, retry } = useEditRecord(
    dashboards.info,
    dashboardId === undefined ? undefined : { dashboardId },
  );
  const { save, review, isBusy } = useSave(loaded, onClose);
  return (
    <SubmitDialog
      isOpen={isOpen}
      onClose={onClose}
      title={dashboardId === undefined ? "Add dashboard" : "Edit dashboard"}
      formId={formId}
      action="Save"
      isBusy={isBusy}
      isDisabled={!isReady || !isWhole}
    >
      {isReady && <DashboardForm initial={loaded} formId={formId} onSave={save} />}
      {!isReady && error && <ErrorState error={error} onRetry={retry} />}
      {!isReady && !error && <Loader size={20} aria-label="Loading" />}
      {review}
    </SubmitDialog>
  );
};

/** Opens the form for a new or an existing dashboard. */
export const useEditDashboard = (): { add: () => void; edit: (dashboard: DashboardRow) => void; dialog: ReactNode } => {
  const { open, subject, count, isOpen, close } = useDialogSubject<Pick<DashboardDialogProps, "dashboardId">>();
  // Loaded with the page, because a dialog that grows when they arrive moves its buttons under the pointer.
  const { isPending } = useCall(dashboards.groups, {});
  return {
    add: useCallback(() => open({ dashboardId: undefined }), [open]),
    edit: useCallback(({ dashboardId }) => open({ dashboardId }), [open]),
    dialog: subject && (
      <DashboardDialog key={count} {...subject} isOpen={isOpen} isWhole={!isPending} onClose={close} />
    ),
  };
};
