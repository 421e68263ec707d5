import { type ReactNode, useCallback, useState } from "react";
import type { ListedDevice } from "../../../domain/devices/device-columns.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";

/** The dialog of a device's own settings, with the current values at each opening. */
export const useDeviceSettings = (): { edit: (device: ListedDevice) => void; dialog: ReactNode } => {
  const [opening, setOpening] = useState<{ count: number; device: ListedDevice }>();
  const [isOpen, setOpen] = useState(false);
  const edit = useCallback((device: ListedDevice) => {
    setOpening((before) => ({ count: (before?.count ?? 0) + 1, device }));
    setOpen(true);
  }, []);
  return {
    edit,
    dialog: opening && (
      <SettingsDialog key={opening.count} device={opening.device} isOpen={isOpen} onClose={() => setOpen(false)} />
    ),
  };
};
