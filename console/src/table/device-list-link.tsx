import { Link } from "@tanstack/react-router";
import { useSession } from "../session/session.ts";

/** DEVICES in a device's title: the way to the list, for those who have it. */
export const DeviceListLink = () => (useSession().can("devices.list") ? <Link to="/devices">DEVICES</Link> : "DEVICES");
