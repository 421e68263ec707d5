import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useSession } from "../../../session/session.ts";
import { AddDeviceDialog } from "./add-device-dialog.tsx";

/** 'Add device' and its dialog, for whoever may add devices. */
export const AddDevice = () => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { can } = useSession();
  if (!can("devices.add")) return null;
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
      <AddDeviceDialog purpose="device" isOpen={isOpen} onClose={close} />
    </>
  );
};
