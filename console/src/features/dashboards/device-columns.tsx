import { Link } from "@tanstack/react-router";
import type { DeviceRow, SubDeviceRow } from "@telltale/contract/devices";
import { deviceStatusLook } from "../../format/device-status.ts";
import { day, missing, orMissing } from "../../format/time.ts";
import type { Column } from "../../table/column.ts";
import { StatusLabel } from "../../ui/status-label.tsx";
import classes from "./device-table.module.css";

/** A device, or a sub-device as a branch below its parent. */
export type ListedDevice = SubDeviceRow & Partial<Pick<DeviceRow, "subDevices">> & { branch?: "between" | "last" };

/** The branches below a device, with the tree line's shape. */
export const subDevicesOf = ({ subDevices = [] }: ListedDevice): ListedDevice[] =>
  subDevices.map((device, index) => ({ ...device, branch: index === subDevices.length - 1 ? "last" : "between" }));

const DeviceId = ({ deviceId, deviceSnId, branch }: ListedDevice) => (
  <>
    {branch && <span className={classes.tree} data-branch={branch} aria-hidden="true" />}
    <Link to="/devicesDetail" search={{ deviceId }} className={classes.id}>
      {deviceSnId}
    </Link>
  </>
);

/** A text that is cut off where it has no room, and then said in full by its title. */
const Text = ({ children, className }: { children: string; className?: string | undefined }) => (
  <span className={`${classes.text} ${className ?? ""}`} title={children}>
    {children}
  </span>
);

/** STATUS to PARENT; the words are the specification's. (spec 1 §2) */
export const deviceColumns: readonly Column<ListedDevice>[] = [
  {
    key: "status",
    head: "STATUS",
    width: 148,
    narrow: "top-end",
    cell: ({ status }) => <StatusLabel {...deviceStatusLook(status)} />,
  },
  { key: "deviceSnId", head: "DEVICE ID", width: 190, narrow: "below", cell: DeviceId },
  { key: "deviceSn", head: "DEVICE P/N", width: 150, narrow: "below-end", cell: ({ deviceSn }) => deviceSn },
  {
    key: "deviceName",
    head: "DEVICE NAME",
    width: 200,
    narrow: "top-main",
    cell: ({ deviceName }) => <Text className={classes.name}>{deviceName}</Text>,
  },
  { key: "installed", head: "INSTALLED", width: 116, cell: ({ createdTime }) => day(createdTime) },
  { key: "renewed", head: "RENEWED", width: 116, cell: ({ expireTime }) => orMissing(expireTime, day) },
  {
    key: "parent",
    head: "PARENT",
    width: 160,
    cell: ({ parentDeviceName }) =>
      parentDeviceName === null ? <span className={classes.missing}>{missing}</span> : <Text>{parentDeviceName}</Text>,
  },
];
