import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { deviceConfiguration, ModbusCheck } from "@telltale/contract/domains/device-configuration";
import type { ReactNode } from "react";
import { useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Loader } from "../../../ui/control/loader.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import classes from "./add-device.module.css";

/** A third-party device to be checked. */
export interface CheckedDevice {
  deviceId: number;
  deviceName: string;
}

/** Never cached: the point is its current state, and each check polls the device's modbus line. */
const neverCached = {
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnWindowFocus: false,
} as const;

const CheckDialog = ({ device, isOpen, onClose }: { device: CheckedDevice; isOpen: boolean; onClose: () => void }) => {
  const { deviceId, deviceName } = device;
  const { data, error, isFetching, refetch } = useCall(deviceConfiguration.checkThirdParty, { deviceId }, neverCached);
  const isFound = data?.state === ModbusCheck.found;
  const Sign = isFound ? IconCheck : IconAlertTriangle;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Check ${deviceName}`}
      width={420}
      footer={
        <>
          <Button variant="default" onClick={() => void refetch()} disabled={isFetching}>
            Check again
          </Button>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </>
      }
    >
      <p className={classes.check} role="status">
        {isFetching ? (
          <>
            <Loader size={18} />
            The master is asking the device
          </>
        ) : (
          <>
            <Sign size={18} aria-hidden data-found={isFound || undefined} />
            {data?.msg ?? error?.message}
          </>
        )}
      </p>
    </Dialog>
  );
};

/** Makes the master poll a third-party device, and shows the result. (spec 2 §4) */
export const useCheckDevice = (): { ask: (device: CheckedDevice) => void; dialog: ReactNode } => {
  const { open: ask, subject, count, isOpen, close } = useDialogSubject<CheckedDevice>();
  return {
    ask,
    dialog: subject && <CheckDialog key={count} device={subject} isOpen={isOpen} onClose={close} />,
  };
};
