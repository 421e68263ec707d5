import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import classes from "./add-device.module.css";
import { AddDeviceDialog } from "./add-device-dialog.tsx";
import { ThirdPartyDialog } from "./third-party-dialog.tsx";
import { useCheckDevice } from "./use-check-device.tsx";

/** The dialog for a third-party device, which has no Telltale ID, and the check that follows it. */
const useThirdParty = () => {
  const [opening, setOpening] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const check = useCheckDevice();
  const dialog = (
    <>
      {opening > 0 && (
        <ThirdPartyDialog key={opening} isOpen={isOpen} onClose={() => setOpen(false)} onAdded={check.ask} />
      )}
      {check.dialog}
    </>
  );
  const open = () => {
    setOpening((count) => count + 1);
    setOpen(true);
  };
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
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={open}
        data-shortcut="add"
      >
        Add device
      </Button>
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
