import type { DeviceRow, SubDeviceRow } from "@telltale/contract/domains/devices";
import type { ReactNode } from "react";
import type { Column } from "../../table/column.tsx";
import { Missing } from "../../ui/format/missing.tsx";
import { day } from "../../ui/format/time.ts";
import { Link } from "../../ui/router/link.tsx";
import { StatusLabel } from "../../ui/status/status-label.tsx";
import classes from "./device-columns.module.css";
import { type DeviceLink, detailLink } from "./device-links.tsx";
import { deviceStatusLook } from "./device-status.ts";

/** A device, or a sub-device as a branch below its master. */
export type ListedDevice = SubDeviceRow & Partial<Pick<DeviceRow, "subDevices">> & { branch?: "between" | "last" };

/** Row key of a listed device. */
export const keyOfDevice = ({ deviceId }: ListedDevice): number => deviceId;

/** The sub-devices of a device, with the shape of their tree line. */
export const subDevicesOf = ({ subDevices = [] }: ListedDevice): ListedDevice[] =>
  subDevices.map((device, index) => ({ ...device, branch: index === subDevices.length - 1 ? "last" : "between" }));

const linkedId =
  (linkOf: (device: ListedDevice) => DeviceLink) =>
  (device: ListedDevice): ReactNode => (
    <>
      {device.branch && <span className={classes.tree} data-branch={device.branch} aria-hidden="true" />}
      <Link {...linkOf(device)} className={classes.id}>
        {device.deviceSnId}
      </Link>
    </>
  );

/** DEVICE ID, the link to the device. */
export const deviceIdColumn = (linkOf: (device: ListedDevice) => DeviceLink) =>
  ({
    key: "deviceSnId",
    head: "DEVICE ID",
    width: 137,
    least: 122,
    narrow: "below",
    cell: linkedId(linkOf),
  }) as const satisfies Column<ListedDevice>;

/** A text that is cut with an ellipsis when it does not fit; its title has the full text. */
const Text = ({ children, className }: { children: string; className?: string | undefined }) => (
  <span className={`${classes.text} ${className ?? ""}`} title={children}>
    {children}
  </span>
);

const orMissing = (moment: Date | null): ReactNode => (moment === null ? <Missing /> : day(moment));

/** The columns of all device lists, in the specified order and words. (spec 1 §2) */
export const deviceColumns = {
  status: {
    key: "status",
    head: "STATUS",
    width: 124,
    least: 116,
    pin: "start",
    narrow: "top-end",
    cell: ({ status }) => <StatusLabel {...deviceStatusLook(status)} />,
  },
  deviceSnId: deviceIdColumn(detailLink),
  deviceSn: {
    key: "deviceSn",
    head: "DEVICE P/N",
    width: 104,
    least: 92,
    narrow: "below-end",
    cell: ({ deviceSn }) => <Text>{deviceSn}</Text>,
  },
  deviceName: {
    key: "deviceName",
    head: "DEVICE NAME",
    width: 150,
    least: 110,
    narrow: "top-main",
    cell: ({ deviceName }) => <Text className={classes.name}>{deviceName}</Text>,
  },
  installed: { key: "installed", head: "INSTALLED", width: 98, least: 92, cell: ({ createdTime }) => day(createdTime) },
  renewed: { key: "renewed", head: "RENEWED", width: 92, cell: ({ expireTime }) => orMissing(expireTime) },
  payDate: {
    key: "payDate",
    head: "PAY DATE",
    width: 98,
    least: 96,
    cell: ({ payTime }) => (payTime === "N/A" ? <Missing>{payTime}</Missing> : day(payTime)),
  },
  parent: {
    key: "parent",
    head: "PARENT",
    width: 98,
    least: 80,
    cell: ({ parentDeviceName }) => (parentDeviceName === null ? <Missing /> : <Text>{parentDeviceName}</Text>),
  },
} as const satisfies Record<string, Column<ListedDevice>>;
