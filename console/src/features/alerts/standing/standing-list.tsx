import { alertEntries, type StandingRow } from "@telltale/contract/domains/alerting/entries";
import { alerts } from "@telltale/contract/domains/alerts";
import { type ReactNode, useCallback, useMemo } from "react";
import { JointLink } from "../../../domain/joint-link.tsx";
import { LiveValuesContext, useLiveValues } from "../../../session/live/use-live-values.ts";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { useFilters } from "../../../table/filters/use-filters.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { useNavigate } from "../../../ui/router/hooks.ts";
import { standingFilters } from "../alert-filters.ts";
import { AlertViews, standingSize, useStanding } from "../alert-views.tsx";
import { useAssignToMe } from "../assign.ts";
import { ListHead } from "../list-head.tsx";
import { useLiveLists } from "../live/use-live-lists.ts";
import { LogTabs } from "../log-head.tsx";
import { NotificationStrip } from "../notifications/notification-strip.tsx";
import { PassedNote } from "../passed-note.tsx";
import { useConfirmAlert, useShelveAlert } from "../use-confirm.tsx";
import { standingColumns } from "./standing-columns.tsx";

const rowKey = (alert: StandingRow) => alert.alarmLogId;

/** The newest notification, for the strip. */
const useNewestNotification = () => {
  useLiveLists(alerts.notifications);
  return useCall(alerts.notifications, { page: 1, size: 1 }, { meta: { quiet: true } }).data?.data;
};

/** What the rows' buttons do; absent for accounts that may not. */
const useRowActions = () => {
  const { can } = useSession();
  const mayConfirm = can("alerts.confirm");
  const confirming = useConfirmAlert();
  const shelving = useShelveAlert();
  const assignToMe = useAssignToMe();
  return {
    onConfirm: mayConfirm ? confirming.ask : undefined,
    onTake: mayConfirm ? assignToMe : undefined,
    onShelve: can("alerts.silence") ? shelving.ask : undefined,
    dialogs: (
      <>
        {confirming.dialog}
        {shelving.dialog}
      </>
    ),
  };
};

interface StandingListProps {
  view: "standing" | "unconfirmed";
}

/** The alerts whose condition has not ended, or those of them that the bar counts, by priority, with their newest values. */
export const StandingList = ({ view }: StandingListProps): ReactNode => {
  const filters = useFilters(standingFilters);
  const isUnconfirmed = view === "unconfirmed";
  const shown = isUnconfirmed ? { ...filters.values, unconfirmed: 1 as const } : filters.values;
  const pages = usePages(alertEntries.standing, shown, { size: standingSize });
  const { isFetching, dataUpdatedAt } = useStanding();
  const live = useLiveValues(isFetching, dataUpdatedAt);
  const { onConfirm, onTake, onShelve, dialogs } = useRowActions();
  const columns = useMemo(
    () => standingColumns({ by: filters.by, onConfirm, onTake, onShelve }),
    [filters.by, onConfirm, onTake, onShelve],
  );
  const navigate = useNavigate();
  const open = useCallback(
    ({ alarmLogId }: StandingRow) => void navigate({ to: "/alarms/detail", search: { alarmLogId } }),
    [navigate],
  );
  return (
    <LiveValuesContext value={live}>
      <ListHead
        title="ALERT"
        beside={<AlertViews view={view} passed={<PassedNote />} />}
        onRefresh={pages.refetch}
        action={<JointLink />}
      >
        <LogTabs />
        <NotificationStrip notifications={useNewestNotification()} />
      </ListHead>
      <ListScreen
        label={isUnconfirmed ? "Unconfirmed alerts" : "Standing alerts"}
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={rowKey}
        onOpen={open}
        empty={isUnconfirmed ? "No unconfirmed alerts" : "No alert is standing"}
      />
      {dialogs}
    </LiveValuesContext>
  );
};
