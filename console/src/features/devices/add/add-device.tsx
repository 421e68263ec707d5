import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, Suspense } from "react";
import { useSession } from "../../../session/session.ts";
import { onceOpen } from "../../../ui/dialog/dialog.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { AddButton } from "../../../ui/page/add-button.tsx";
import classes from "./add-device.module.css";
import { useCheckDevice } from "./use-check-device.tsx";

/** Not part of the dashboard, which has the button: with its fields it is larger than the list above. */
export const AddDeviceDialog = onceOpen(lazyWithRetry(() => import("./add-device-dialog.tsx"), "AddDeviceDialog"));
const ThirdPartyDialog = lazyWithRetry(() => import("./third-party-dialog.tsx"), "ThirdPartyDialog");

/** The dialog for a third-party device, which has no Telltale ID, and the check that follows it. */
const useThirdParty = () => {
  const { open, count, isOpen, close } = useDialogSubject();
  const check = useCheckDevice();
  const dialog = (
    <>
      {count > 0 && (
        <Suspense>
          <ThirdPartyDialog key={count} isOpen={isOpen} onClose={close} onAdded={check.ask} />
        </Suspense>
      )}
      {check.dialog}
    </>
  );
  return { open, dialog };
};

interface AddDeviceProps {
  /** The device ID of a label that was scanned: the dialog is open at first, with it. */
  deviceSnId?: string | undefined;
  /** The dialog was closed. */
  onClosed?: () => void;
}

/** 'Add device' and its dialogs, for accounts that may add devices. */
export const AddDevice = ({ deviceSnId, onClosed }: AddDeviceProps): ReactNode => {
  const [isOpen, { open, close }] = useDisclosure(deviceSnId !== undefined);
  const thirdParty = useThirdParty();
  const { can } = useSession();
  if (!can("devices.add")) return null;
  const goThirdParty = () => {
    close();
    thirdParty.open();
  };
  const alternative = can("devices.configure") && (
    <button type="button" className={classes.alternative} onClick={goThirdParty}>
      Add a third-party device instead
    </button>
  );
  return (
    <>
      <AddButton label="Add device" variant="default" onClick={open} />
      <AddDeviceDialog
        purpose="device"
        isOpen={isOpen}
        onClose={() => {
          close();
          onClosed?.();
        }}
        alternative={alternative}
        deviceSnId={deviceSnId}
      />
      {thirdParty.dialog}
    </>
  );
};
