import { Checkbox, Textarea } from "@mantine/core";
import { type AlertRow, alerts, longestNote, type NotificationRow } from "@telltale/contract/domains/alerts";
import { type ReactNode, useState } from "react";
import { areaClasses } from "../../../form/text-field.tsx";
import { useIsLost } from "../../../session/live/live.ts";
import { useSession } from "../../../session/session.ts";
import { useAction } from "../../../session/use-call.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";
import { useAssign } from "../assign.ts";
import { AlertStrip, isAlert } from "./alert-strip.tsx";
import { changedCalls } from "./changed-calls.ts";
import classes from "./confirm-alert.module.css";

/** Whether the user is already the one who has it. */
const useHasIt = (entry: AlertRow | NotificationRow): { assigned: string | null; isMine: boolean } => {
  const { firstName, lastName } = useSession().user;
  const assigned = isAlert(entry) ? entry.assignedName : null;
  return { assigned, isMine: assigned !== null && assigned === `${firstName} ${lastName}`.trim() };
};

/** Confirms, then assigns where the user says to have it. */
const useConfirm = (alarmLogId: number, isTaken: boolean, onDone: () => void) => {
  const { accountId } = useSession().account;
  const assign = useAssign();
  const { mutate, isPending } = useAction(alerts.confirm, {
    success: "Alert confirmed",
    invalidates: changedCalls,
    onDone: () => {
      if (isTaken) assign.mutate({ alarmLogId, accountId });
      onDone();
    },
  });
  return { isPending, confirm: (note: string) => mutate({ alarmLogId, ...(note === "" ? {} : { note }) }) };
};

interface ConfirmAlertProps {
  alert: AlertRow | NotificationRow;
  isOpen: boolean;
  onClose: () => void;
}

/** The question before one entry is confirmed, with an optional note. (spec 1 §5) */
export const ConfirmAlert = ({ alert, isOpen, onClose }: ConfirmAlertProps): ReactNode => {
  const [note, setNote] = useState("");
  const [isTaken, setTaken] = useState(false);
  const { assigned, isMine } = useHasIt(alert);
  const { confirm, isPending } = useConfirm(alert.alarmLogId, isTaken, onClose);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Confirm alert"
      width={540}
      action="Confirm"
      onConfirm={() => confirm(note.trim())}
      isBusy={isPending}
      isDisabled={useIsLost()}
    >
      Are you sure you want to confirm this alert?
      <AlertStrip entry={alert} />
      <Textarea
        label={
          <>
            Note <small className={classes.optional}>optional</small>
          </>
        }
        description="Stays with the entry"
        inputWrapperOrder={["label", "input", "description"]}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        maxLength={longestNote}
        autosize
        minRows={2}
        maxRows={5}
        classNames={areaClasses}
      />
      {isAlert(alert) && !isMine && (
        <Checkbox
          className={classes.take}
          checked={isTaken}
          onChange={({ currentTarget }) => setTaken(currentTarget.checked)}
          label={
            <>
              I have it <small>assigns it to you{assigned !== null && `, until now ${assigned}`}</small>
            </>
          }
        />
      )}
    </ConfirmDialog>
  );
};
