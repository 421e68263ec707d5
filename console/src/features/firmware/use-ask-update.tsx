import { type FirmwareRow, firmware } from "@telltale/contract/domains/firmware";
import type { ReactNode } from "react";
import { useAsked } from "../../form/use-asked.ts";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

/** A device and the version that it is to be given. */
interface Asked {
  row: FirmwareRow;
  versionNo: string;
  way: "Update" | "Rollback";
}

/** What can be done with a device's firmware. */
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
      {row.deviceName}: {row.versionNo ?? "unknown version"} to {versionNo}. The device restarts when it is done; what
      it measures meanwhile is not recorded.
    </p>
  </>
);

/** Asks before a device is given another version: `dialog` belongs anywhere in the page. */
export const useAskUpdate = () => {
  const { asked, isOpen, ask, close } = useAsked<Asked>();
  const { mutate, isPending } = useAction(firmware.update, {
    success: "Submitted successfully",
    invalidates: [firmware.list],
    onDone: close,
  });
  const begin = ({ row, versionNo }: Asked) =>
    // Refused: the reason is told, and the question is settled.
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
