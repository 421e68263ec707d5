import { type ReactNode, Suspense, useCallback, useState } from "react";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import type { LabelledDevice } from "./labels-dialog.tsx";

const LabelsDialog = lazyWithRetry(() => import("./labels-dialog.tsx"), "LabelsDialog");

interface Opening {
  count: number;
  device: LabelledDevice | undefined;
}

/** Printing labels: `ask` opens the dialog, for one device or all; `dialog` can be rendered anywhere on the page. */
export const useLabels = (): { ask: (device?: LabelledDevice) => void; dialog: ReactNode } => {
  const [opening, setOpening] = useState<Opening>({ count: 0, device: undefined });
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback((device?: LabelledDevice) => {
    setOpening(({ count }) => ({ count: count + 1, device }));
    setOpen(true);
  }, []);
  return {
    ask,
    dialog: opening.count > 0 && (
      <Suspense>
        <LabelsDialog key={opening.count} device={opening.device} isOpen={isOpen} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
};
