import { IconChartLine } from "@tabler/icons-react";
import { devices } from "@telltale/contract/domains/devices";
import { type ReactNode, useMemo } from "react";
import {
  deviceColumns,
  deviceIdColumn,
  keyOfDevice,
  type ListedDevice,
  subDevicesOf,
} from "../../../domain/devices/device-columns.tsx";
import { useOpenDevice } from "../../../domain/devices/device-links.tsx";
import { linkFromList } from "../../../domain/devices/model-links.ts";
import { payable } from "../../../domain/devices/pay-column.tsx";
import { useIsLost } from "../../../session/live/live.ts";
import { LostLine } from "../../../session/live/lost-line.tsx";
import { useSession } from "../../../session/session.ts";
import type { Column } from "../../../table/column.tsx";
import { type FilterInForce, useFilters } from "../../../table/filters/use-filters.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { Button } from "../../../ui/control/button.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { RefreshButton } from "../../../ui/refresh-button.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { deviceFilters } from "./device-filters.ts";
import classes from "./device-list.module.css";
import { StatusPanel } from "./status-panel.tsx";
import { useLiveStatuses } from "./use-live-statuses.ts";

const deviceSnId = deviceIdColumn(linkFromList);

type OnPay = ((device: ListedDevice) => void) | undefined;

const columnsWith = (by: Readonly<Record<string, FilterInForce>>, onPay: OnPay): Column<ListedDevice>[] =>
  Object.values({ ...deviceColumns, deviceSnId, status: payable(deviceColumns.status, onPay) }).map((column) => ({
    ...column,
    filter: by[column.key],
  }));

/** The sentence of an empty list: says how to add a device to users who may. */
const useEmptyText = (): string => {
  const { can } = useSession();
  const isAdder = can("devices.add") && can("dashboard.read");
  return isAdder ? "There are no devices yet. Add the first one on the DASHBOARD." : "There are no devices yet";
};

interface DeviceListProps {
  /** Content of the panel beside the list. */
  actions?: ReactNode;
  /** Opens the purchase for a device; absent for accounts that may not buy. */
  onPay: OnPay;
}

/** All devices of the plant with their sub-devices, by installation date, kept up to date. (spec 1 §2) */
export const DeviceList = ({ actions, onPay }: DeviceListProps): ReactNode => {
  const filters = useFilters(deviceFilters);
  const pages = usePages(devices.list, filters.values);
  const empty = useEmptyText();
  useLiveStatuses(devices.list, filters.isActive);

  const columns = useMemo(() => columnsWith(filters.by, onPay), [filters.by, onPay]);
  // With an active filter the remaining sub-devices are the matches, so they are expanded.
  const subRows = useMemo(() => ({ of: subDevicesOf, areOpen: filters.isActive }), [filters.isActive]);
  const open = useOpenDevice(linkFromList);
  return (
    <>
      <PageTitle
        aside={
          <>
            <Button
              variant="default"
              size="xs"
              component={Link}
              to="/compare"
              leftSection={<IconChartLine size={16} aria-hidden />}
            >
              Compare
            </Button>
            <RefreshButton onRefresh={pages.refetch} />
          </>
        }
      >
        DEVICES
      </PageTitle>
      <LostLine />
      <div className={classes.frame}>
        <div className={classes.screen}>
          <StatusPanel>{actions}</StatusPanel>
          <div className={classes.list} data-lost={useIsLost() || undefined}>
            <ListScreen<ListedDevice>
              label="Devices"
              filters={filters}
              pages={pages}
              columns={columns}
              rowKey={keyOfDevice}
              subRows={subRows}
              onOpen={open}
              empty={empty}
            />
          </div>
        </div>
      </div>
    </>
  );
};
