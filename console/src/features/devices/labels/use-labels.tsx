import { type ReactNode, Suspense, useCallback } from "react";
import { useDialogSubject } from "../../../ui/dialog/use-dialog-subject.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import type { LabelledDevice } from "./labels-dialog.tsx";

const LabelsDialog = lazyWithRetry(() => import("./labels-dialog.tsx"), "LabelsDialog");

/** Printing labels: `ask` opens the dialog, for one device or all; `dialog` can be rendered anywhere on the page. */
export const useLabels = (): { ask: (device?: LabelledDevice) => void; dialog: ReactNode } => {
  const { open, subject, count, isOpen, close } = useDialogSubject<LabelledDevice | undefined>();
  return {
    ask: useCallback((device) => open(device), [open]),
    dialog: count > 0 && (
      <Suspense>
        <LabelsDialog key={count} device={subject} isOpen={isOpen} onClose={close} />
      </Suspense>
    ),
  };
};
