import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useSession } from "../../../session/session.ts";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { AddButton } from "../../../ui/page/add-button.tsx";
import classes from "./add-device.module.css";
import { AddDeviceDialog } from "./add-device-dialog.tsx";
import { ThirdPartyDialog } from "./third-party-dialog.tsx";
import { useCheckDevice } from "./use-check-device.tsx";

/** The dialog for a third-party device, which has no Telltale ID, and the check that follows it. */
const useThirdParty = () => {
  const { open, count, isOpen, close } = useDialogSubject();
  const check = useCheckDevice();
  const dialog = (
    <>
      {count > 0 && <ThirdPartyDialog key={count} isOpen={isOpen} onClose={close} onAdded={check.ask} />}
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
