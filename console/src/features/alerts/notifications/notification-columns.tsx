import type { NotificationRow } from "@telltale/contract/domains/alerts";
import type { Column } from "../../../table/column.tsx";
import type { FilterInForce } from "../../../table/filters/use-filters.ts";
import { ConfirmedByCell, DeviceIdCell, MessageCell, MomentCell, NameCell, StatusCell } from "../alert-cells.tsx";
import type { notificationFilters } from "../alert-filters.ts";

/** The columns of the notifications, in the specified order. (spec 1 §2) */
export const notificationColumns = (
  by: Readonly<Record<keyof typeof notificationFilters, FilterInForce>>,
  onConfirm: ((notification: NotificationRow) => void) | undefined,
): Column<NotificationRow>[] => [
  {
    key: "status",
    head: "STATUS",
    width: 124,
    pin: "start",
    narrow: "top",
    filter: by.status,
    cell: ({ status }) => <StatusCell status={status} />,
  },
  {
    key: "deviceName",
    head: "DEVICE NAME",
    width: 160,
    least: 120,
    narrow: "below-main",
    filter: by.deviceName,
    cell: ({ deviceName }) => <NameCell>{deviceName}</NameCell>,
  },
  {
    key: "deviceSnId",
    head: "DEVICE ID",
    width: 106,
    narrow: "below",
    filter: by.deviceSnId,
    cell: (notification) => <DeviceIdCell alert={notification} />,
  },
  {
    key: "msg",
    head: "NOTIFICATION",
    width: 300,
    least: 210,
    narrow: "top-main",
    cell: ({ msg }) => <MessageCell>{msg}</MessageCell>,
  },
  {
    key: "triggered",
    head: "TRIGGERED",
    width: 166,
    narrow: "below",
    filter: by.triggered,
    cell: ({ createdTime }) => <MomentCell moment={createdTime} isStacked={false} />,
  },
  {
    key: "confirmed",
    head: "CONFIRMED",
    width: 166,
    filter: by.confirmed,
    cell: ({ acceptTime }) => <MomentCell moment={acceptTime} isStacked={false} />,
  },
  {
    key: "confirmedBy",
    head: "CONFIRMED BY",
    width: 150,
    pin: "end",
    narrow: "action",
    cell: (notification) => (
      <ConfirmedByCell
        status={notification.status}
        name={notification.acceptBy}
        onConfirm={onConfirm && (() => onConfirm(notification))}
      />
    ),
  },
];
