import { type FirmwareRow, firmware } from "@telltale/contract/domains/firmware";
import type { ReactNode } from "react";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";

/** A device and the version to install. */
interface RequestedUpdate {
  row: FirmwareRow;
  versionNo: string;
  way: "Update" | "Rollback";
}

/** Row operations of a device's firmware. */
export interface FirmwareOperations {
  update: (row: FirmwareRow) => void;
  rollback: (row: FirmwareRow) => void;
}

const Question = ({ row, versionNo, way }: RequestedUpdate): ReactNode => (
  <>
    {way === "Update"
      ? "Are you sure that you want to update this device?"
      : "Are you sure that you want to roll this device back?"}
    <p>
      {row.deviceName}: {row.versionNo ?? "unknown version"} to {versionNo}. The device restarts when it is done; its
      readings in the meantime are not recorded.
    </p>
  </>
);

/** Asks for confirmation before another version is installed: `dialog` can be rendered anywhere on the page. */
export const useRequestUpdate = () => {
  const { subject, isOpen, open: ask, close } = useDialogSubject<RequestedUpdate>();
  const { mutate, isPending } = useAction(firmware.update, {
    success: "Submitted successfully",
    invalidates: [firmware.list],
    onDone: close,
  });
  const begin = ({ row, versionNo }: RequestedUpdate) =>
    // On an error the reason is shown, and the question is closed.
    mutate({ deviceSnId: row.deviceSnId, versionNo, versionType: row.versionType }, { onError: close });
  const dialog = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={subject?.way === "Rollback" ? "Roll back firmware" : "Update firmware"}
      action={subject?.way ?? "Update"}
      onConfirm={() => subject && begin(subject)}
      isBusy={isPending}
    >
      {subject && <Question {...subject} />}
    </ConfirmDialog>
  );
  return { ask, dialog };
};
