import { type FirmwareRow, firmware } from "@telltale/contract/domains/firmware";
import type { ReactNode } from "react";
import { useDialogSubject } from "../../form/use-dialog-subject.ts";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

/** A device and the version to install. */
interface Asked {
  row: FirmwareRow;
  versionNo: string;
  way: "Update" | "Rollback";
}

/** Row operations of a device's firmware. */
export interface FirmwareOperations {
  update: (row: FirmwareRow) => void;
  rollback: (row: FirmwareRow) => void;
}

const Question = ({ row, versionNo, way }: Asked): ReactNode => (
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
  const { asked, isOpen, ask, close } = useDialogSubject<Asked>();
  const { mutate, isPending } = useAction(firmware.update, {
    success: "Submitted successfully",
    invalidates: [firmware.list],
    onDone: close,
  });
  const begin = ({ row, versionNo }: Asked) =>
    // On an error the reason is shown, and the question is closed.
    mutate({ deviceSnId: row.deviceSnId, versionNo, versionType: row.versionType }, { onError: close });
  const dialog = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={asked?.way === "Rollback" ? "Roll back firmware" : "Update firmware"}
      action={asked?.way ?? "Update"}
      onConfirm={() => asked && begin(asked)}
      isBusy={isPending}
    >
      {asked && <Question {...asked} />}
    </ConfirmDialog>
  );
  return { ask, dialog };
};
