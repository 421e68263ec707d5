import { Modal } from "@mantine/core";
import type { DialogProps } from "./dialog.tsx";
import classes from "./modal-dialog.module.css";

/** The dialog itself, loaded when the first one opens. */
export const ModalDialog = ({ isOpen, onClose, title, width = 540, footer, children }: DialogProps) => (
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
