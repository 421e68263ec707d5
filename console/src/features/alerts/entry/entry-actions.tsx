import { Button } from "@mantine/core";
import { IconChartLine, IconUserPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { AlertInfo } from "@telltale/contract/domains/alert-entries";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { useSession } from "../../../session/session.ts";
import { useAssignToMe } from "../assign.ts";
import classes from "./alert-entry.module.css";

interface EntryActionsProps {
  alert: AlertInfo;
  /** Opens the confirmation. */
  onConfirm: (alert: AlertInfo) => void;
}

/** What can be done about the alert; in a read-only view it is only to be looked at. */
export const EntryActions = ({ alert, onConfirm }: EntryActionsProps): ReactNode => {
  const { can, account } = useSession();
  const assignToMe = useAssignToMe();
  const { deviceId, deviceChannelId } = alert;
  const isOpen = alert.status !== AlertStatus.cleared;
  return (
    <>
      <Button
        renderRoot={(props) => (
          <Link {...props} to="/devicesDetail" search={{ deviceId, deviceChannelId: deviceChannelId ?? undefined }} />
        )}
        variant="default"
        size="xs"
        leftSection={<IconChartLine size={16} aria-hidden />}
      >
        Show on device
      </Button>
      {isOpen && can("alerts.confirm") && alert.assignedTo !== account.accountId && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={() => assignToMe(alert)}
        >
          Assign to me
        </Button>
      )}
      {alert.status === AlertStatus.triggered && can("alerts.confirm") && (
        <Button className={classes.confirm ?? ""} variant="ink" size="xs" onClick={() => onConfirm(alert)}>
          Confirm
        </Button>
      )}
    </>
  );
};
