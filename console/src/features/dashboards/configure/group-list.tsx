import { IconPencil, IconTrash } from "@tabler/icons-react";
import { type DashboardGroup, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { counted } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { ChannelIcon } from "../../../domain/channel-icon.tsx";
import classes from "../../../form/pick-list.module.css";
import { useCall } from "../../../session/use-call.ts";
import { OperationButton, Operations } from "../../../ui/operation-button.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";

interface GroupListProps {
  /** Absent in a read-only view. */
  onEdit: ((group: DashboardGroup) => void) | undefined;
  onRemove: (group: DashboardGroup) => void;
}

const channelCount = ({ deviceChannelIds }: DashboardGroup): string => counted(deviceChannelIds.length, "channel");

/** The groups of motor controllers' channels by name. */
export const GroupList = ({ onEdit, onRemove }: GroupListProps): ReactNode => {
  const { data, error, refetch } = useCall(dashboards.groups, {});
  if (!data) return error && <ErrorState error={error} onRetry={refetch} />;
  if (data.length === 0)
    return <EmptyState>There are no channel groups. A group shows channels of one motor controller.</EmptyState>;
  return (
    <ul className={classes.groups}>
      {data.map((group) => (
        <li key={group.dashboardGroupId}>
          <ChannelIcon analogId={group.icon} />
          <span className={classes.one}>
            <b>{group.groupName}</b>
            <small>
              {group.deviceName}, {channelCount(group)}
            </small>
          </span>
          {onEdit && (
            <Operations>
              <OperationButton label={`Edit ${group.groupName}`} icon={IconPencil} onClick={() => onEdit(group)} />
              <OperationButton label={`Delete ${group.groupName}`} icon={IconTrash} onClick={() => onRemove(group)} />
            </Operations>
          )}
        </li>
      ))}
    </ul>
  );
};
