import { Switch } from "@mantine/core";
import { IconPencil, IconPlugConnected, IconQrcode, IconTrash } from "@tabler/icons-react";
import { deviceColumns, deviceIdColumn, type ListedDevice } from "../../../domain/devices/device-columns.tsx";
import { linkFromConfiguration } from "../../../domain/devices/model-links.ts";
import { payable } from "../../../domain/devices/pay-column.tsx";
import { type Column, NarrowText } from "../../../table/column.tsx";
import type { FilterInForce } from "../../../table/filters/use-filters.ts";
import { Missing } from "../../../ui/format/missing.tsx";
import { OperationButton, Operations } from "../../../ui/operation-button.tsx";
import classes from "./configure-columns.module.css";
import { hasSwitch } from "./removable.ts";

type Operation = ((device: ListedDevice) => void) | undefined;

/** Row operations of a device; absent where the account may not. */
export interface DeviceOperations {
  edit: Operation;
  remove: Operation;
  /** Makes the master poll a third-party device. */
  check: Operation;
  /** Prints the device's label. */
  label: Operation;
  setDisabled: ((device: ListedDevice, isDisabled: boolean) => void) | undefined;
}

const EnableCell = ({ device, setDisabled }: { device: ListedDevice } & Pick<DeviceOperations, "setDisabled">) =>
  hasSwitch(device) ? (
    <Switch
      aria-label={`Enabled: ${device.deviceName}`}
      label={<NarrowText>{device.isDisabled ? "Disabled" : "Enabled"}</NarrowText>}
      title={device.isDisabled ? "Disabled: its readings are refused" : "Enabled"}
      checked={!device.isDisabled}
      disabled={!setDisabled}
      onChange={({ currentTarget }) => setDisabled?.(device, !currentTarget.checked)}
    />
  ) : (
    <span className={classes.wide}>
      <Missing />
    </span>
  );

const OperationCell = ({ device, operations }: { device: ListedDevice; operations: DeviceOperations }) => {
  const { edit, remove, check, label } = operations;
  const { deviceName } = device;
  return (
    <Operations>
      {edit && <OperationButton label={`Edit ${deviceName}`} icon={IconPencil} onClick={() => edit(device)} />}
      {label && <OperationButton label={`Label of ${deviceName}`} icon={IconQrcode} onClick={() => label(device)} />}
      {remove && <OperationButton label={`Delete ${deviceName}`} icon={IconTrash} onClick={() => remove(device)} />}
      {check && device.modbusAddress !== null && (
        <OperationButton label={`Check ${deviceName}`} icon={IconPlugConnected} onClick={() => check(device)} />
      )}
    </Operations>
  );
};

/** The columns of CONFIGURATION-DEVICE. (spec 2 §2) */
export const configureColumns = (
  by: Readonly<Record<string, FilterInForce>>,
  operations: DeviceOperations,
  onPay: ((device: ListedDevice) => void) | undefined,
): Column<ListedDevice>[] => {
  const { status, deviceName, deviceSn, parent, installed, renewed, payDate } = deviceColumns;
  const columns: Column<ListedDevice>[] = [
    payable(status, onPay),
    deviceIdColumn(linkFromConfiguration),
    deviceName,
    deviceSn,
    parent,
    installed,
    renewed,
    payDate,
    {
      key: "enabled",
      head: "ENABLED",
      width: 84,
      least: 76,
      narrow: "action",
      cell: (device) => <EnableCell device={device} setDisabled={operations.setDisabled} />,
    },
  ];
  const filtered = columns.map((column) => ({ ...column, filter: by[column.key] }));
  if (!operations.edit && !operations.remove) return filtered;
  const operation: Column<ListedDevice> = {
    key: "operation",
    head: "OPERATION",
    width: operations.label ? 148 : 116,
    pin: "end",
    narrow: "action-end",
    cell: (device) => <OperationCell device={device} operations={operations} />,
  };
  return [...filtered, operation];
};
