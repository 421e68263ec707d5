import { lazy, type ReactNode, Suspense, useState } from "react";

/** Modal and focus trap stay out of the first screen's script. */
const ModalDialog = lazy(async () => ({ default: (await import("./modal-dialog.tsx")).ModalDialog }));

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** 540 for forms and wizards, 420 for confirmations. */
  width?: 420 | 540;
  /** The actions, right aligned, with Cancel before the action. */
  footer?: ReactNode;
  children: ReactNode;
}

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
