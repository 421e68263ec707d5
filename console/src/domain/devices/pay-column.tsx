import { IconCreditCard } from "@tabler/icons-react";
import { DeviceStatus, DeviceType } from "@telltale/contract/domains/devices";
import type { Column } from "../../table/column.tsx";
import type { ListedDevice } from "./device-columns.tsx";
import classes from "./pay-column.module.css";

/** Sub-devices share their main device's service, which is paid for there. (decision 11) */
const canBePaid = ({ status, deviceType }: ListedDevice): boolean =>
  status === DeviceStatus.paymentDue && deviceType === DeviceType.main;

/** Adds the pay icon for devices whose service has ended to a column; without `onPay` the column is unchanged. (spec 1 §4) */
export const payable = (
  column: Column<ListedDevice>,
  onPay: ((device: ListedDevice) => void) | undefined,
): Column<ListedDevice> => {
  if (!onPay) return column;
  const cell = (device: ListedDevice) => (
    <>
      {column.cell(device)}
      {canBePaid(device) && (
        <button
          type="button"
          className={classes.pay}
          title="Pay for this device"
          aria-label={`Pay for ${device.deviceName}`}
          onClick={() => onPay(device)}
        >
          <IconCreditCard size={15} stroke={1.6} aria-hidden />
        </button>
      )}
    </>
  );
  return { ...column, width: column.width + 26, cell };
};
