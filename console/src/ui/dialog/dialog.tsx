import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import { lazyWithRetry } from "../load-with-retry.ts";

/** A lazily loaded dialog that is fetched and rendered from its first opening on; it stays, so that it can fade out. */
export const onceOpen = <P extends { isOpen: boolean }>(Part: ComponentType<P>): ((props: P) => ReactNode) => {
  const Opened = (props: P): ReactNode => {
    const [wasOpen, setWasOpen] = useState(props.isOpen);
    if (props.isOpen && !wasOpen) setWasOpen(true);
    return wasOpen ? (
      <Suspense>
        <Part {...props} />
      </Suspense>
    ) : null;
  };
  return Opened;
};

/** A dialog below the bar, so that the master lamp is never covered. Escape closes it; the first field is focused. Its modal and focus trap are not part of the first screens. */
export const Dialog = onceOpen(lazyWithRetry(() => import("./modal-dialog.tsx"), "ModalDialog"));
