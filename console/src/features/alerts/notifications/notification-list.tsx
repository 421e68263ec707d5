import { alerts, type NotificationRow } from "@telltale/contract/domains/alerts";
import { type ReactNode, useMemo } from "react";
import { momentLink } from "../../../domain/alerts/alert-text.ts";
import { useOpenDevice } from "../../../domain/devices/device-links.tsx";
import { LostLine } from "../../../session/live/lost-line.tsx";
import { useSession } from "../../../session/session.ts";
import { useFilters } from "../../../table/filters/use-filters.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { Link } from "../../../ui/router/link.tsx";
import { notificationFilters } from "../alert-filters.ts";
import { ListHead } from "../list-head.tsx";
import { useLiveLists } from "../live/use-live-lists.ts";
import { useConfirmAlert } from "../use-confirm.tsx";
import { notificationColumns } from "./notification-columns.tsx";

const rowKey = (notification: NotificationRow) => notification.alarmLogId;

const title = (
  <>
    <small>
      <Link to="/alarms">ALERT</Link> /
    </small>{" "}
    Notifications
  </>
);

/** Notifications about the plant's devices, newest first. (spec 1 §2) */
export const NotificationList = (): ReactNode => {
  const filters = useFilters(notificationFilters);
  const pages = usePages(alerts.notifications, filters.values);
  const { can } = useSession();
  const { ask, dialog } = useConfirmAlert();
  useLiveLists(alerts.notifications);

  const isConfirmer = can("alerts.confirm");
  const columns = useMemo(
    () => notificationColumns(filters.by, isConfirmer ? ask : undefined),
    [filters.by, isConfirmer, ask],
  );
  const open = useOpenDevice(momentLink);
  return (
    <>
      <ListHead title={title} onRefresh={pages.refetch}>
        <LostLine />
      </ListHead>
      <ListScreen
        label="Notifications"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={rowKey}
        onOpen={open}
        empty="There are no notifications"
      />
      {dialog}
    </>
  );
};
