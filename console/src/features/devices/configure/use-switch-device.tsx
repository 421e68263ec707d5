import type { Input } from "@telltale/contract/call/call";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import type { ListedDevice } from "../../../domain/devices/device-columns.tsx";
import { useConfirmedAction } from "../../../form/use-confirmed-action.tsx";

/** A device, and whether to enable or disable it. */
export interface Switching {
  device: ListedDevice;
  isDisabled: boolean;
}

const Consequences = ({ device, isDisabled }: Switching) =>
  isDisabled ? (
    <>
      Its readings are refused and not stored, its open alerts are cleared, and it raises no alert until it is enabled
      again. Stored readings are kept.
      {(device.subDevices?.length ?? 0) > 0 && " Its sub-devices are switched on their own."}
    </>
  ) : (
    "From its next reading on it is stored again, raises alerts, and its recipients are notified."
  );

/** Asks for confirmation before a device is disabled or enabled. */
export const useSwitchDevice = () =>
  useConfirmedAction({
    call: deviceConfiguration.updateStatus,
    inputOf: ({ device: { deviceSnId }, isDisabled }: Switching): Input<typeof deviceConfiguration.updateStatus> => ({
      deviceSnId,
      isDisabled: isDisabled ? 1 : 0,
    }),
    invalidates: [devices.list],
    success: "Modify successful",
    title: ({ isDisabled }) => (isDisabled ? "Disable device" : "Enable device"),
    action: ({ isDisabled }) => (isDisabled ? "Disable" : "Enable"),
    question: (switching) => (
      <>
        Are you sure that you want to {switching.isDisabled ? "disable" : "enable"} this device?
        <p>
          <b>{switching.device.deviceName}</b>, {switching.device.deviceSnId}
        </p>
        <p>
          <Consequences {...switching} />
        </p>
      </>
    ),
  });
