import { type AlertRow, alerts } from "@telltale/contract/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useSession } from "../../session/session.ts";
import { useLiveRefetch } from "../../session/use-live-refetch.ts";
import { DataTable } from "../../table/data-table.tsx";
import { FilterTags } from "../../table/filter-tags.tsx";
import { JointLink } from "../../table/joint-link.tsx";
import { ListEnd } from "../../table/list-end.tsx";
import { useFilters } from "../../table/use-filters.ts";
import { useOpenDevice } from "../../table/use-open-device.ts";
import { usePages } from "../../table/use-pages.ts";
import { logColumns } from "./alert-columns.tsx";
import { logFilters, logHeads } from "./alert-filters.ts";
import { ListHead } from "./list-head.tsx";
import { NotificationStrip } from "./notification-strip.tsx";
import { useConfirmAlert } from "./use-confirm.tsx";

const rowKey = (alert: AlertRow) => alert.alarmLogId;

/** Every alert of the plant, newest first, kept up to date. (spec 1 §2) */
export const AlertLog = (): ReactNode => {
  const filters = useFilters(logFilters);
  const pages = usePages(alerts.log, filters.values);
  const { can } = useSession();
  const { ask, dialog } = useConfirmAlert();
  useLiveRefetch([alerts.log], [LiveCommand.alertChange]);

  const isConfirmer = can("alerts.confirm");
  const columns = useMemo(
    () => logColumns({ by: filters.by, onConfirm: isConfirmer ? ask : undefined }),
    [filters.by, isConfirmer, ask],
  );
  const open = useOpenDevice();
  return (
    <>
      <ListHead title="ALERT" onRefresh={pages.refetch} action={<JointLink />}>
        <NotificationStrip notifications={pages.first?.notifications} />
      </ListHead>
      <FilterTags filters={filters} heads={logHeads} />
      <DataTable
        label="Alerts"
        columns={columns}
        rows={pages.rows}
        rowKey={rowKey}
        onOpen={open}
        view={pages.view}
        footer={
          <ListEnd
            pages={pages}
            empty={filters.isActive ? "No alerts match these filters" : "There are no alerts"}
            onClear={filters.isActive ? filters.clear : undefined}
          />
        }
      />
      {dialog}
    </>
  );
};
