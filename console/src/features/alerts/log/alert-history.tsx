import { detailPageSize } from "@telltale/contract/call/paging";
import { type AlertRow, alerts } from "@telltale/contract/domains/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useSession } from "../../../session/session.ts";
import { useFilters } from "../../../table/filters/use-filters.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { historyFilters } from "../alert-filters.ts";
import { useConfirmAlert } from "../use-confirm.tsx";
import { historyColumns } from "./alert-columns.tsx";

const rowKey = (alert: AlertRow) => alert.alarmLogId;

interface AlertHistoryProps {
  deviceId: number;
  /** The selected channel; without it, the alerts of the whole device. */
  deviceChannelId?: number | undefined;
}

/** The alerts of one channel, newest first, 10 rows a page, with filters and the confirm action. (spec 1 §2) */
export const AlertHistory = ({ deviceId, deviceChannelId }: AlertHistoryProps): ReactNode => {
  const filters = useFilters(historyFilters);
  const source = deviceChannelId === undefined ? { deviceId } : { deviceChannelId };
  const pages = usePages(alerts.ofChannel, { ...filters.values, ...source }, { size: detailPageSize });
  const { can } = useSession();
  const { ask, dialog } = useConfirmAlert();
  useLiveRefetch([alerts.ofChannel], [LiveCommand.alertChange], (change) => change.deviceId === deviceId);

  const isConfirmer = can("alerts.confirm");
  const columns = useMemo(
    () => historyColumns({ by: filters.by, onConfirm: isConfirmer ? ask : undefined }),
    [filters.by, isConfirmer, ask],
  );
  return (
    <>
      <ListScreen
        label="Alert history"
        noun="alerts"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={rowKey}
        empty="There are no alerts"
      />
      {dialog}
    </>
  );
};
