import { Suspense, useState } from "react";
import { lazyWithRetry } from "../load-with-retry.ts";
import type { DialogProps } from "./modal-dialog.tsx";

/** Keeps modal and focus trap out of the initial bundle. */
const ModalDialog = lazyWithRetry(() => import("./modal-dialog.tsx"), "ModalDialog");

/** A dialog below the bar, so that the master lamp is never covered. Escape closes it; the first field is focused. */
export const Dialog = (props: DialogProps) => {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  return wasOpen ? (
    <Suspense>
      <ModalDialog {...props} />
    </Suspense>
  ) : null;
};
