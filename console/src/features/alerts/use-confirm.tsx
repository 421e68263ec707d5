import type { AlertRow, NotificationRow } from "@telltale/contract/domains/alerts";
import { type ReactNode, Suspense, useEffect } from "react";
import { useIsLost } from "../../session/live/live.ts";
import { useUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { useDialogSubject } from "../../ui/dialog/use-dialog-subject.ts";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import { serverNow } from "../../ui/server-time.ts";
import type { SeenAlerts } from "./confirm/seen-alerts.ts";

/** A confirmation: `ask` opens the dialog, `dialog` can be rendered anywhere on the page. */
export interface Confirming<Subject> {
  ask: (subject: Subject) => void;
  dialog: ReactNode;
}

const ConfirmAlert = lazyWithRetry(() => import("./confirm/confirm-dialogs.ts"), "ConfirmAlert");
const ShelveAlert = lazyWithRetry(() => import("./confirm/confirm-dialogs.ts"), "ShelveAlert");
const ConfirmAllAlerts = lazyWithRetry(() => import("./confirm/confirm-dialogs.ts"), "ConfirmAllAlerts");

/** While a dialog is loaded: one that the loss of the connection holds up is given up, or it would open by itself when the connection is back. */
const GivenUpWhenLost = ({ onLost }: { onLost: () => void }): null => {
  const isLost = useIsLost();
  useEffect(() => {
    if (isLost) onLost();
  }, [isLost, onLost]);
  return null;
};

/** 'Confirm alert': for one entry. (spec 1 §5) */
export const useConfirmAlert = (): Confirming<AlertRow | NotificationRow> => {
  const { open: ask, subject, count, isOpen, close } = useDialogSubject<AlertRow | NotificationRow>();
  return {
    ask,
    dialog: subject && (
      <Suspense fallback={<GivenUpWhenLost onLost={close} />}>
        <ConfirmAlert key={count} alert={subject} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};

/** 'Shelve alert': for the rule of one entry. */
export const useShelveAlert = (): Confirming<AlertRow> => {
  const { open: ask, subject, count, isOpen, close } = useDialogSubject<AlertRow>();
  return {
    ask,
    dialog: subject && (
      <Suspense fallback={<GivenUpWhenLost onLost={close} />}>
        <ShelveAlert key={count} alert={subject} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};

/** 'CONFIRM ALL ALERTS': for the triggered entries of the plant that are shown when it is asked. (spec 1 §8) */
export const useConfirmAll = (): Confirming<void> => {
  const { alerts, label } = useUnconfirmed();
  const { open: ask, subject, count, isOpen, close } = useDialogSubject<SeenAlerts>();
  return {
    ask: () => ask({ alerts, label, time: new Date(serverNow()) }),
    dialog: subject && (
      <Suspense fallback={<GivenUpWhenLost onLost={close} />}>
        <ConfirmAllAlerts key={count} seen={subject} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};
