import { Link, useNavigate } from "@tanstack/react-router";
import { Model } from "@telltale/contract/domains/devices";
import { useCallback } from "react";
import { useSession } from "../session/session.ts";
import type { SearchInput } from "../ui/page/search.ts";

/** A page about a device. */
export interface Place {
  to: string;
  search: SearchInput;
}

/** A device's own screen. */
export const detailOf = ({ deviceId }: { deviceId: number }): Place => ({
  to: "/devicesDetail",
  search: { deviceId },
});

/** Where the list of devices leads: a motor controller's configuration, read-only; any other device's own screen. (spec 1 §2) */
export const listedPlaceOf = (device: { deviceId: number; typeId: number }): Place => {
  const { deviceId, typeId } = device;
  if (typeId !== Model.motorController) return detailOf(device);
  return { to: "/configureDevicesAdd", search: { deviceId, typeId, edit: "no" } };
};

/** Where the list of devices to configure leads: a device's channel settings, a motor controller's read-only. (spec 2 §2) */
export const configuredPlaceOf = ({ deviceId, typeId }: { deviceId: number; typeId: number }): Place => ({
  to: "/configureDevicesAdd",
  search: { deviceId, typeId, ...(typeId === Model.motorController && { edit: "no" }) },
});

/** Opens the device that a row is about: its own screen unless `placeOf` says otherwise. */
export const useOpenDevice = <Row extends { deviceId: number } = { deviceId: number }>(
  placeOf: (row: Row) => Place = detailOf,
) => {
  const navigate = useNavigate();
  return useCallback((row: Row) => void navigate(placeOf(row)), [navigate, placeOf]);
};

/** DEVICES in a device's title: the way to the list, for those who have it. */
export const DeviceListLink = () => (useSession().can("devices.list") ? <Link to="/devices">DEVICES</Link> : "DEVICES");
