import { type AlarmRow, alarms } from "@telltale/contract/alarms";
import { AlertClass } from "@telltale/contract/alerts";
import { type ReactNode, useCallback, useState } from "react";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { changedCalls } from "./changed-calls.ts";

const consequenceOf = ({ alarmClass }: AlarmRow): string =>
  alarmClass === AlertClass.custom
    ? "What it has raised is cleared and stays in the log. Nobody is told by it any more."
    : "Nobody is told by it any more. The device keeps its limits and notifications.";

/** Asks before an alert is deleted. (spec 2 §8) */
export const useRemoveAlarm = (): { ask: (alarm: AlarmRow) => void; dialog: ReactNode } => {
  const [asked, setAsked] = useState<AlarmRow>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, isPending } = useAction(alarms.remove, {
    success: "Delete successful",
    invalidates: changedCalls,
    onDone: close,
  });
  return {
    ask: useCallback((alarm) => {
      setAsked(alarm);
      setOpen(true);
    }, []),
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Delete alert"
        action="Delete"
        onConfirm={() => asked && mutate({ alarmId: asked.alarmId })}
        isBusy={isPending}
      >
        Are you sure that you want to delete this Alert?
        {asked && (
          <p>
            <b>{asked.alarmName}</b>, {asked.deviceName}. {consequenceOf(asked)}
          </p>
        )}
      </ConfirmDialog>
    ),
  };
};
