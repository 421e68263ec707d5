import { alerts } from "@telltale/contract/domains/alerts";
import type { ReactNode } from "react";
import { useDialogSubject } from "../../form/use-dialog-subject.ts";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm-dialog.tsx";

/** Calls that are stale after a confirmation. */
const changed = [alerts.log, alerts.notifications, alerts.ofChannel, alerts.unconfirmed];

/** A confirmation: `ask` opens the dialog, `dialog` can be rendered anywhere on the page. */
export interface Confirming<Subject> {
  ask: (subject: Subject) => void;
  dialog: ReactNode;
}

/** 'Confirm alert': for one entry. (spec 1 §5) */
export const useConfirmAlert = (): Confirming<{ alarmLogId: number }> => {
  const { subject, isOpen, ask, close } = useDialogSubject<{ alarmLogId: number }>();
  const { mutate, isPending } = useAction(alerts.confirm, { invalidates: changed, onDone: close });
  return {
    ask,
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Confirm alert"
        action="Confirm"
        onConfirm={() => subject && mutate({ alarmLogId: subject.alarmLogId })}
        isBusy={isPending}
      >
        Are you sure you want to confirm this alert?
      </ConfirmDialog>
    ),
  };
};

/** 'CONFIRM ALL ALERTS': for every triggered entry of the plant. (spec 1 §8) */
export const useConfirmAll = (): Confirming<void> => {
  const { isOpen, ask, close } = useDialogSubject<void>();
  const { mutate, isPending } = useAction(alerts.confirmAll, { invalidates: changed, onDone: close });
  return {
    ask,
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="CONFIRM ALL ALERTS"
        action="Confirm"
        onConfirm={() => mutate({})}
        isBusy={isPending}
      >
        Are you sure you want to confirm all alerts?
        <p>This will confirm all pending alerts.</p>
      </ConfirmDialog>
    ),
  };
};
