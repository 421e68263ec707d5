import { devices } from "@telltale/contract/domains/devices";
import { useMemo } from "react";
import {
  deviceColumns,
  keyOfDevice,
  type ListedDevice,
  subDevicesOf,
} from "../../../domain/devices/device-columns.tsx";
import { useOpenDevice } from "../../../domain/devices/device-links.tsx";
import { payable } from "../../../domain/devices/pay-column.tsx";
import { useIsLost } from "../../../session/live/live.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { AddDevice } from "../add/add-device.tsx";
import classes from "./device-table.module.css";
import { useLiveStatuses } from "./use-live-statuses.ts";

const subDevices = { of: subDevicesOf };

const { payDate: _, ...others } = deviceColumns;

interface DeviceTableProps {
  /** Opens the purchase for a device; absent for accounts that may not buy. */
  onPay: ((device: ListedDevice) => void) | undefined;
}

/** The devices of the dashboard with their sub-devices, and the button to add one. (spec 1 §2) */
export const DeviceTable = ({ onPay }: DeviceTableProps) => {
  const open = useOpenDevice();
  // STATUS to PARENT, without PAY DATE. (spec 1 §2)
  const columns = useMemo(() => Object.values({ ...others, status: payable(others.status, onPay) }), [onPay]);
  const pages = usePages(devices.onDashboard, {});
  useLiveStatuses(devices.onDashboard);
  return (
    <section aria-labelledby="dashboard-devices" data-lost={useIsLost() || undefined}>
      <div className={classes.head}>
        <h2 id="dashboard-devices">Devices</h2>
        <AddDevice />
      </div>
      <ListScreen<ListedDevice>
        label="Devices"
        pages={pages}
        columns={columns}
        rowKey={keyOfDevice}
        subRows={subDevices}
        onOpen={open}
        empty="There are no devices yet"
      />
    </section>
  );
};
