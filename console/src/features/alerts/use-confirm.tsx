import type { AlertInfo } from "@telltale/contract/domains/alerting/entries";
import type { AlertRow, NotificationRow } from "@telltale/contract/domains/alerts";
import { type ReactNode, Suspense, useCallback, useState } from "react";
import { useUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { lazyWithRetry } from "../../ui/load-with-retry.ts";
import type { SeenAlerts } from "./confirm/seen-alerts.ts";

/** A confirmation: `ask` opens the dialog, `dialog` can be rendered anywhere on the page. */
export interface Confirming<Subject> {
  ask: (subject: Subject) => void;
  dialog: ReactNode;
}

const ConfirmAlert = lazyWithRetry(() => import("./confirm/confirm-dialogs.ts"), "ConfirmAlert");
const ShelveAlert = lazyWithRetry(() => import("./confirm/confirm-dialogs.ts"), "ShelveAlert");
const ConfirmAllAlerts = lazyWithRetry(() => import("./confirm/confirm-dialogs.ts"), "ConfirmAllAlerts");

/** The subject of a dialog that starts anew at each opening; it is kept after closing, so that it keeps its text while it fades out. */
const useOpening = <Subject,>() => {
  const [opening, setOpening] = useState<{ key: number; subject: Subject }>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback((subject: Subject) => {
    setOpening((before) => ({ key: (before?.key ?? 0) + 1, subject }));
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { opening, isOpen, ask, close };
};

/** 'Confirm alert': for one entry. (spec 1 §5) */
export const useConfirmAlert = (): Confirming<AlertRow | NotificationRow> => {
  const { opening, isOpen, ask, close } = useOpening<AlertRow | NotificationRow>();
  return {
    ask,
    dialog: opening && (
      <Suspense>
        <ConfirmAlert key={opening.key} alert={opening.subject} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};

/** 'Shelve alert': for the rule of one entry. */
export const useShelveAlert = (): Confirming<AlertInfo> => {
  const { opening, isOpen, ask, close } = useOpening<AlertInfo>();
  return {
    ask,
    dialog: opening && (
      <Suspense>
        <ShelveAlert key={opening.key} alert={opening.subject} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};

/** 'CONFIRM ALL ALERTS': for the triggered entries of the plant that are shown when it is asked. (spec 1 §8) */
export const useConfirmAll = (): Confirming<void> => {
  const { alerts, label } = useUnconfirmed();
  const { opening, isOpen, ask, close } = useOpening<SeenAlerts>();
  return {
    ask: () => ask({ alerts, label, time: new Date() }),
    dialog: opening && (
      <Suspense>
        <ConfirmAllAlerts key={opening.key} seen={opening.subject} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};
