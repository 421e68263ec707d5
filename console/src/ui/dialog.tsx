import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./dialog.module.css";

interface DialogProps {
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
export const Dialog = ({ isOpen, onClose, title, width = 540, footer, children }: DialogProps) => (
  <Modal
    opened={isOpen}
    onClose={onClose}
    title={title}
    size={width}
    radius="md"
    padding={0}
    zIndex={200}
    transitionProps={{ transition: "fade", duration: 160 }}
    closeButtonProps={{ "aria-label": "Close" }}
    classNames={{
      overlay: classes.overlay,
      inner: classes.inner,
      content: classes.dialog,
      header: classes.header,
      title: classes.title,
    }}
  >
    <div className={classes.body}>{children}</div>
    {footer && <div className={classes.footer}>{footer}</div>}
  </Modal>
);
