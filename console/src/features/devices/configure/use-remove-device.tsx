import { DeviceMessage, deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { type ReactNode, useCallback, useState } from "react";
import type { ListedDevice } from "../../../domain/devices/device-columns.tsx";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { warn } from "../../../ui/dialog/messages.ts";
import { isRemovable } from "./removable.ts";

/** Which of the two confirmations is open. */
type Question = "first" | "second";

/**
 * Asks for confirmation twice before a device is deleted; the second says what is deleted with it. An enabled device, or one with sub-devices, is
 * refused at once. (spec 2 §5)
 */
export const useRemoveDevice = (): { ask: (device: ListedDevice) => void; dialog: ReactNode } => {
  const [subject, setSubject] = useState<ListedDevice>();
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  const { mutate, isPending } = useAction(deviceConfiguration.remove, {
    success: "Delete successful",
    invalidates: [devices.list],
    onDone: close,
  });
  const ask = useCallback((device: ListedDevice) => {
    const subDevices = device.subDevices?.length ?? 0;
    if (!isRemovable(device)) return warn(DeviceMessage.disableFirst);
    if (subDevices > 0) return warn(DeviceMessage.subDevicesFirst(subDevices));
    setSubject(device);
    setQuestion("first");
  }, []);
  const dialog = (
    <>
      <ConfirmDialog
        isOpen={question === "first"}
        onClose={close}
        title="Delete device"
        action="Delete"
        onConfirm={() => setQuestion("second")}
      >
        Are you sure that you want to delete this Device?
        <p>
          <b>{subject?.deviceName}</b>, {subject?.deviceSnId}
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === "second"}
        onClose={close}
        title="Delete device and data"
        action="Delete all"
        // An obstacle is shown and has to be removed first.
        onConfirm={() => subject && mutate({ deviceId: subject.deviceId }, { onError: close })}
        isBusy={isPending}
      >
        All data associated with this device will be deleted. Are you sure?
        <p>
          Readings, alerts, settings, tiles and downloads of <b>{subject?.deviceName}</b> cannot be brought back.
        </p>
      </ConfirmDialog>
    </>
  );
  return { ask, dialog };
};
