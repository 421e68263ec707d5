import { IconInfoCircle } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import {
  type FirmwareRow,
  firmware,
  firmwarePolling,
  UpdateStatus,
  updatingNote,
} from "@telltale/contract/domains/firmware";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useEffect, useMemo } from "react";
import { useInvalidate } from "../../session/invalidate.ts";
import { useLiveRefetch, useRecordsRefetch } from "../../session/live/use-live-refetch.ts";
import { useSession } from "../../session/session.ts";
import { callQuery } from "../../session/use-call.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListScreen } from "../../table/list-screen.tsx";
import { usePages } from "../../table/use-pages.ts";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { firmwareColumns } from "./firmware-columns.tsx";
import { firmwareFilters } from "./firmware-filters.ts";
import classes from "./firmware-panel.module.css";
import { type FirmwareOperations, useRequestUpdate } from "./use-request-update.tsx";

const isUpdating = ({ updateStatus }: FirmwareRow): boolean => updateStatus === UpdateStatus.updating;

/** Polls a device that is being updated every five seconds, until the update ends. */
const pollOf = ({ deviceId }: FirmwareRow) => ({
  ...callQuery(firmware.detail, { deviceId }),
  // Nothing of an earlier update may be used as placeholder data.
  placeholderData: undefined,
  gcTime: 0,
  meta: { quiet: true },
  refetchInterval: ({ state }: { state: { data: FirmwareRow | undefined } }) =>
    state.data && !isUpdating(state.data) ? (false as const) : firmwarePolling,
});

/** The rows, with those of updating devices replaced by their last poll. Nothing is polled while no device is updating. (spec 2 §4) */
export const usePolledRows = (rows: readonly FirmwareRow[] | undefined): FirmwareRow[] | undefined => {
  const invalidate = useInvalidate();
  const polled = useQueries({
    queries: (rows ?? []).filter(isUpdating).map(pollOf),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const ended = polled.filter((row) => !isUpdating(row)).length;
  useEffect(() => {
    if (ended > 0) invalidate([firmware.list]);
  }, [ended, invalidate]);
  return useMemo(() => {
    const latest = new Map(polled.map((row) => [row.deviceId, row]));
    return rows?.map((row) => latest.get(row.deviceId) ?? row);
  }, [rows, polled]);
};

const keyOfRow = ({ deviceId }: FirmwareRow) => deviceId;

/** Another user may have started an update, or one has ended; a status follows the device's alerts. */
const changes = [LiveCommand.dashboardChange, LiveCommand.alertChange] as const;

/** The plant's devices with their firmware, to update and to roll back. (spec 2 §2) */
export const FirmwarePanel = (): ReactNode => {
  const filters = useFilters(firmwareFilters);
  const pages = usePages(firmware.list, filters.values);
  const rows = usePolledRows(pages.rows);
  useLiveRefetch([firmware.list], changes);
  useRecordsRefetch([firmware.list], ["firmwareImage"]);
  const isEditor = useSession().can("firmware.write");
  const { ask, dialog } = useRequestUpdate();
  const operations = useMemo<FirmwareOperations | undefined>(
    () =>
      isEditor
        ? {
            update: (row) => ask({ row, versionNo: row.latestVersion ?? "", way: "Update" }),
            rollback: (row) => ask({ row, versionNo: row.rollbackVersion ?? "", way: "Rollback" }),
          }
        : undefined,
    [isEditor, ask],
  );
  const columns = useMemo(() => firmwareColumns(filters.by, operations), [filters.by, operations]);
  const isUpdating = rows?.some(({ updateStatus }) => updateStatus === UpdateStatus.updating) ?? false;
  return (
    <section className={classes.firmware} aria-label="Firmware">
      <div className={classes.head}>
        <h2>Firmware</h2>
        <RefreshButton onRefresh={pages.refetch} />
      </div>
      <div role="status">
        {isUpdating && (
          <p className={classes.note}>
            <IconInfoCircle size={18} aria-hidden />
            {updatingNote}
          </p>
        )}
      </div>
      <ListScreen
        label="Firmware"
        noun="devices"
        filters={filters}
        pages={{ ...pages, rows }}
        columns={columns}
        rowKey={keyOfRow}
        empty="There are no devices"
      />
      {dialog}
    </section>
  );
};
