import { Suspense, useState } from "react";
import { lazyPart } from "../load-part.ts";
import type { DialogProps } from "./modal-dialog.tsx";

/** Modal and focus trap stay out of the first screen's script. */
const ModalDialog = lazyPart(() => import("./modal-dialog.tsx"), "ModalDialog");

/** A dialog under the bar, so that the master lamp is never covered. Escape closes; the first field has the focus. */
export const Dialog = (props: DialogProps) => {
  const [wasOpen, setWasOpen] = useState(props.isOpen);
  if (props.isOpen && !wasOpen) setWasOpen(true);
  return wasOpen ? (
    <Suspense>
      <ModalDialog {...props} />
    </Suspense>
  ) : null;
};
