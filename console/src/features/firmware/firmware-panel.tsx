import { IconInfoCircle } from "@tabler/icons-react";
import { type FirmwareRow, firmware, UpdateStatus, updatingNote } from "@telltale/contract/firmware";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useSession } from "../../session/session.ts";
import { useLiveRefetch } from "../../session/use-live-refetch.ts";
import { DataTable } from "../../table/data-table.tsx";
import { FilterTags } from "../../table/filter-tags.tsx";
import { ListEnd } from "../../table/list-end.tsx";
import { useFilters } from "../../table/use-filters.ts";
import { usePages } from "../../table/use-pages.ts";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { firmwareColumns } from "./firmware-columns.tsx";
import { firmwareFilters, firmwareHeads } from "./firmware-filters.ts";
import classes from "./firmware-panel.module.css";
import { type FirmwareOperations, useAskUpdate } from "./use-ask-update.tsx";
import { usePolledRows } from "./use-polled-rows.ts";

const keyOfRow = ({ deviceId }: FirmwareRow) => deviceId;

/** Somebody else may have begun an update, or one has come to its end. */
const changes = [LiveCommand.dashboardChange] as const;

/** The plant's devices with the firmware that they run, to update and to roll back. (spec 2 §2) */
export const FirmwarePanel = (): ReactNode => {
  const filters = useFilters(firmwareFilters);
  const pages = usePages(firmware.list, filters.values);
  const rows = usePolledRows(pages.rows);
  useLiveRefetch([firmware.list], changes);
  const isEditor = useSession().can("firmware.write");
  const { ask, dialog } = useAskUpdate();
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
      <FilterTags filters={filters} heads={firmwareHeads} />
      <DataTable
        label="Firmware"
        columns={columns}
        rows={rows}
        rowKey={keyOfRow}
        view={pages.view}
        footer={
          <ListEnd
            pages={pages}
            empty={filters.isActive ? "No devices match these filters" : "There are no devices"}
            onClear={filters.isActive ? filters.clear : undefined}
          />
        }
      />
      {dialog}
    </section>
  );
};
