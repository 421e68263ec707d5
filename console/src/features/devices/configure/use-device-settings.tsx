import type { ReactNode } from "react";
import type { ListedDevice } from "../../../domain/devices/device-columns.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { SettingsDialog } from "./settings-dialog.tsx";

/** The dialog of a device's own settings, with the current values at each opening. */
export const useDeviceSettings = (): { edit: (device: ListedDevice) => void; dialog: ReactNode } => {
  const { open: edit, subject, count, isOpen, close } = useDialogSubject<ListedDevice>();
  return {
    edit,
    dialog: subject && <SettingsDialog key={count} device={subject} isOpen={isOpen} onClose={close} />,
  };
};
