import { Link, useNavigate } from "@tanstack/react-router";
import { Model } from "@telltale/contract/domains/devices";
import { useCallback } from "react";
import { useSession } from "../session/session.ts";
import type { SearchInput } from "../ui/page/search.ts";

/** The address of a page about a device. */
export interface Place {
  to: string;
  search: SearchInput;
}

/** The detail screen of a device. */
export const detailOf = ({ deviceId }: { deviceId: number }): Place => ({
  to: "/devicesDetail",
  search: { deviceId },
});

/** Link target in the device list: the read-only configuration of a motor controller; the detail screen of any other device. (spec 1 §2) */
export const listedPlaceOf = (device: { deviceId: number; typeId: number }): Place => {
  const { deviceId, typeId } = device;
  if (typeId !== Model.motorController) return detailOf(device);
  return { to: "/configureDevicesAdd", search: { deviceId, typeId, edit: "no" } };
};

/** Link target in the configuration list: a device's channel settings, read-only for a motor controller. (spec 2 §2) */
export const configuredPlaceOf = ({ deviceId, typeId }: { deviceId: number; typeId: number }): Place => ({
  to: "/configureDevicesAdd",
  search: { deviceId, typeId, ...(typeId === Model.motorController && { edit: "no" }) },
});

/** Returns a function that opens the device of a row: its detail screen unless `placeOf` says otherwise. */
export const useOpenDevice = <Row extends { deviceId: number } = { deviceId: number }>(
  placeOf: (row: Row) => Place = detailOf,
) => {
  const navigate = useNavigate();
  return useCallback((row: Row) => void navigate(placeOf(row)), [navigate, placeOf]);
};

/** DEVICES in a device's title: a link to the list, for accounts that may open it. */
export const DeviceListLink = () => (useSession().can("devices.list") ? <Link to="/devices">DEVICES</Link> : "DEVICES");
