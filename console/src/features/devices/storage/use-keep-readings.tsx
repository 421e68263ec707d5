import type { DeviceDetail } from "@telltale/contract/domains/devices";
import { storage } from "@telltale/contract/domains/readings/storage";
import { counted } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";

export type KeptOf = "device" | "plant";

/** For how many months readings are to be kept, and were; null: as long as the next one says. */
export interface Kept {
  of: KeptOf;
  months: number | null;
  before: number | null;
}

const isShorter = ({ months, before }: Kept): boolean => months !== null && (before === null || months < before);

/** Saves for how long readings are kept; a shorter time, after which readings are gone, is asked about first. */
export const useKeepReadings = (device: DeviceDetail, onClose: () => void) => {
  const { subject, isOpen, open: ask, close } = useDialogSubject<Kept>();
  const options = {
    invalidates: [storage.ofDevice],
    success: "Modify successful",
    onDone: () => {
      close();
      onClose();
    },
  };
  const ofDevice = useAction(storage.keepOfDevice, options);
  const ofPlant = useAction(storage.keepOfPlant, options);
  const save = ({ of, months }: Kept) =>
    of === "device"
      ? ofDevice.mutate({ deviceId: device.deviceId, months: months ?? 0 })
      : ofPlant.mutate({ months: months ?? 0 });
  const isBusy = ofDevice.isPending || ofPlant.isPending;
  const question: ReactNode = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title="Keep readings for less time"
      action="Keep for less time"
      onConfirm={() => subject && save(subject)}
      isBusy={isBusy}
    >
      {subject && (
        <>
          Are you sure that readings of{" "}
          {subject.of === "device" ? <b>{device.deviceName}</b> : "all devices of the plant"} are to be kept for{" "}
          {counted(subject.months ?? 0, "month")} only?
          <p>
            Within ten minutes older ones become summaries of hours, for good: single readings and the data packages of
            their months are gone. Download what you need before.
          </p>
        </>
      )}
    </ConfirmDialog>
  );
  return { keep: (kept: Kept) => (isShorter(kept) ? ask(kept) : save(kept)), isBusy, question };
};
