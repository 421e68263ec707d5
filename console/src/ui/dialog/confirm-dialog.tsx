import type { ReactNode } from "react";
import { Button } from "../control/button.tsx";
import classes from "./confirm-dialog.module.css";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** The question, and below it the consequences. */
  children: ReactNode;
  /** Label of the confirming button. */
  action: string;
  onConfirm: () => void;
  isBusy?: boolean;
  /** It cannot be confirmed now. */
  isDisabled?: boolean;
  /** Wider for a question that lists its subjects. */
  width?: 420 | 540;
}

/** Asks for confirmation. The button is ink-coloured: red is reserved for equipment. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { isOpen, onClose, title, children, action, onConfirm, isBusy, isDisabled, width = 420 } = props;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      width={width}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="ink" onClick={onConfirm} loading={isBusy ?? false} disabled={isDisabled} data-autofocus>
            {action}
          </Button>
        </>
      }
    >
      <div className={classes.question}>{children}</div>
    </Dialog>
  );
};
