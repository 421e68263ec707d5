import { useQueryClient } from "@tanstack/react-query";
import type { Page } from "@telltale/contract/call/paging";
import type { DeviceRow, DeviceStatus, devices } from "@telltale/contract/domains/devices";
import { LiveCommand } from "@telltale/contract/live";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { whenSettled } from "../../../session/live/when-settled.ts";
import { keyOf } from "../../../session/use-call.ts";

type DeviceCall = (typeof devices)["list" | "onDashboard"];

/** The page with the device's status, in its row or among the sub-devices; the same page where that says so already or does not have the device. */
const withStatus = (page: Page<DeviceRow>, deviceId: number, status: DeviceStatus): Page<DeviceRow> => {
  const isOther = (row: { deviceId: number; status: DeviceStatus }) =>
    row.deviceId === deviceId && row.status !== status;
  if (!page.data.some((row) => isOther(row) || row.subDevices.some(isOther))) return page;
  const data = page.data.map((row) => ({
    ...row,
    status: isOther(row) ? status : row.status,
    subDevices: row.subDevices.map((sub) => (isOther(sub) ? { ...sub, status } : sub)),
  }));
  return { ...page, data };
};

/**
 * Keeps a list of devices up to date: their statuses by what the live messages carry, so that hundreds of open consoles ask nothing in a flood of alerts,
 * and the rest by fetching it. `isFiltered`: another status may be another list, which is fetched.
 */
export const useLiveStatuses = (call: DeviceCall, isFiltered = false): void => {
  const queries = useQueryClient();
  const queryKey = keyOf(call);
  useLiveRefetch([call], [LiveCommand.alertChange, LiveCommand.dashboardChange], (message) => {
    if (message.cmd !== LiveCommand.alertChange || isFiltered || message.status === undefined) return true;
    const { deviceId, status } = message;
    const set = (page: Page<DeviceRow> | undefined) => page && withStatus(page, deviceId, status);
    whenSettled(queries, queryKey, () => queries.setQueriesData({ queryKey }, set));
    return false;
  });
};
