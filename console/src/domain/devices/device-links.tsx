import { useCallback } from "react";
import { useSession } from "../../session/session.ts";
import type { SearchInput } from "../../ui/router/address.ts";
import { useNavigate } from "../../ui/router/hooks.ts";
import { Link } from "../../ui/router/link.tsx";

/** The address of a page about a device. */
export interface DeviceLink {
  to: string;
  search: SearchInput;
}

/** The detail screen of a device. */
export const detailLink = ({ deviceId }: { deviceId: number }): DeviceLink => ({
  to: "/devicesDetail",
  search: { deviceId },
});

/** Returns a function that opens the device of a row: its detail screen unless `linkOf` says otherwise. */
export const useOpenDevice = <Row extends { deviceId: number } = { deviceId: number }>(
  linkOf: (row: Row) => DeviceLink = detailLink,
) => {
  const navigate = useNavigate();
  return useCallback((row: Row) => void navigate(linkOf(row)), [navigate, linkOf]);
};

/** DEVICES in a device's title: a link to the list, for accounts that may open it. */
export const DeviceListLink = () => (useSession().can("devices.list") ? <Link to="/devices">DEVICES</Link> : "DEVICES");
