import { IconQrcode } from "@tabler/icons-react";
import { devices } from "@telltale/contract/domains/devices";
import { type ReactNode, useMemo } from "react";
import { keyOfDevice, type ListedDevice, subDevicesOf } from "../../../domain/devices/device-columns.tsx";
import { useOpenDevice } from "../../../domain/devices/device-links.tsx";
import { deviceMeanings } from "../../../domain/devices/device-status.ts";
import { linkFromConfiguration } from "../../../domain/devices/model-links.ts";
import { useSession } from "../../../session/session.ts";
import { useFilters } from "../../../table/filters/use-filters.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ListHead } from "../../../ui/page/list-head.tsx";
import { useLabels } from "../labels/use-labels.tsx";
import { deviceFilters } from "../list/device-filters.ts";
import { useLiveStatuses } from "../list/use-live-statuses.ts";
import { configureColumns, type DeviceOperations } from "./configure-columns.tsx";
import { useDeviceSettings } from "./use-device-settings.tsx";
import { useRemoveDevice } from "./use-remove-device.tsx";
import { useSwitchDevice } from "./use-switch-device.tsx";

interface ConfigureDevicesProps {
  /** The button that adds a device. */
  action: ReactNode;
  /** Opens the purchase for a device; absent for accounts that may not buy. */
  onPay: ((device: ListedDevice) => void) | undefined;
  /** Checks a third-party device. */
  onCheck: (device: ListedDevice) => void;
}

/** The operations that the account may use. */
const useOperations = (
  edit: DeviceOperations["edit"],
  check: DeviceOperations["check"],
  ask: DeviceOperations["remove"],
  print: DeviceOperations["label"],
  askSwitch: ReturnType<typeof useSwitchDevice>["ask"],
) => {
  const { can } = useSession();
  const [isEditor, isRemover, isPrinter] = [can("devices.configure"), can("devices.delete"), can("devices.labels")];
  return useMemo<DeviceOperations>(
    () => ({
      edit: isEditor ? edit : undefined,
      check: isEditor ? check : undefined,
      remove: isRemover ? ask : undefined,
      label: isPrinter ? print : undefined,
      setDisabled: isEditor ? (device, isDisabled) => askSwitch({ device, isDisabled }) : undefined,
    }),
    [isEditor, isRemover, isPrinter, edit, check, ask, print, askSwitch],
  );
};

/** All devices of the plant with their sub-devices, to configure, enable and disable, pay for, and delete. (spec 2 §2) */
export const ConfigureDevices = ({ action, onPay, onCheck }: ConfigureDevicesProps): ReactNode => {
  const filters = useFilters(deviceFilters);
  const pages = usePages(devices.list, filters.values);
  const settings = useDeviceSettings();
  const removing = useRemoveDevice();
  const switching = useSwitchDevice();
  const labels = useLabels();
  const operations = useOperations(settings.edit, onCheck, removing.ask, labels.ask, switching.ask);
  useLiveStatuses(devices.list, filters.isActive);
  const columns = useMemo(() => configureColumns(filters.by, operations, onPay), [filters.by, operations, onPay]);
  const subRows = useMemo(() => ({ of: subDevicesOf, areOpen: filters.isActive }), [filters.isActive]);
  const open = useOpenDevice(linkFromConfiguration);
  return (
    <>
      <ListHead
        title="CONFIGURATION-DEVICE"
        legendKey="telltale-device-configuration-legend"
        meanings={deviceMeanings}
        onRefresh={pages.refetch}
        action={
          <>
            {operations.label && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconQrcode size={16} aria-hidden />}
                onClick={() => labels.ask()}
              >
                Labels
              </Button>
            )}
            {action}
          </>
        }
      />
      <ListScreen<ListedDevice>
        label="Devices"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={keyOfDevice}
        subRows={subRows}
        onOpen={open}
        empty="There are no devices yet"
      />
      {labels.dialog}
      {settings.dialog}
      {removing.dialog}
      {switching.dialog}
    </>
  );
};
