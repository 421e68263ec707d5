import { IconChartLine, IconClock, IconUserPlus } from "@tabler/icons-react";
import type { AlertInfo } from "@telltale/contract/domains/alerting/entries";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { AlertStatus } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { momentSearch } from "../../../domain/alerts/alert-text.ts";
import { useIsLost } from "../../../session/live/live.ts";
import { useSession } from "../../../session/session.ts";
import { useAction } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { useAssignToMe } from "../assign.ts";
import { changedCalls } from "../confirm/changed-calls.ts";
import classes from "./alert-entry.module.css";

interface EntryActionsProps {
  alert: AlertInfo;
  /** Opens the confirmation. */
  onConfirm: (alert: AlertInfo) => void;
  /** Opens the choice of a silence. */
  onShelve: (alert: AlertInfo) => void;
}

/** Shelves the alert, or ends its silence; out of service is not ended by those who may not begin it. */
const SilenceAction = ({ alert, onShelve }: Pick<EntryActionsProps, "alert" | "onShelve">) => {
  const { can } = useSession();
  const { mutate, isPending } = useAction(silences.end, { invalidates: changedCalls });
  const { silence } = alert;
  if (silence === null)
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconClock size={16} aria-hidden />}
        onClick={() => onShelve(alert)}
      >
        Shelve
      </Button>
    );
  if (silence.kind === SilenceKind.silentMaster) return null;
  if (silence.kind === SilenceKind.maintenance)
    return (
      <Button component={Link} to="/alarms/silent" variant="default" size="xs">
        Show the window
      </Button>
    );
  if (silence.kind === SilenceKind.outOfService && !can("alerts.outOfService")) return null;
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate({ silenceId: silence.silenceId })}>
      End silence
    </Button>
  );
};

/** What can be done about the alert; in a read-only view it is only to be looked at. */
export const EntryActions = ({ alert, onConfirm, onShelve }: EntryActionsProps): ReactNode => {
  const { can, account } = useSession();
  const assignToMe = useAssignToMe();
  const isLost = useIsLost();
  const isOpen = alert.status !== AlertStatus.cleared;
  return (
    <>
      <Button
        component={Link}
        to="/devicesDetail"
        search={momentSearch(alert)}
        variant="default"
        size="xs"
        leftSection={<IconChartLine size={16} aria-hidden />}
      >
        Show on device
      </Button>
      {isOpen && can("alerts.silence") && <SilenceAction alert={alert} onShelve={onShelve} />}
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
        <Button
          className={classes.confirm ?? ""}
          variant="ink"
          size="xs"
          disabled={isLost}
          onClick={() => onConfirm(alert)}
        >
          Confirm
        </Button>
      )}
    </>
  );
};
