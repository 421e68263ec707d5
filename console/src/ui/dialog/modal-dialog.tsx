import { Modal } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import classes from "./modal-dialog.module.css";
import { useGuardedClose } from "./use-guarded-close.tsx";
import { useTopmost } from "./use-topmost.ts";

/** Opens one render late: a modal that is open on its first render does not know where the focus was before. */
const useDelayedOpen = (isOpen: boolean): boolean => {
  const [isOpened, setOpened] = useState(false);
  useEffect(() => setOpened(isOpen), [isOpen]);
  return isOpened;
};

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** 540 for forms and wizards, 420 for confirmations, 960 for forms in two columns, 1180 for those with a chart. */
  width?: 420 | 540 | 960 | 1180;
  /** The actions, right-aligned, with Cancel before the action. */
  footer?: ReactNode;
  children: ReactNode;
}

/** The dialog itself, loaded when the first one opens. Its head is not a `header` element: the page's only banner is the bar. */
export const ModalDialog = ({ isOpen, onClose, title, width = 540, footer, children }: DialogProps) => {
  const guarded = useGuardedClose(isOpen, onClose, footer);
  return (
    <Modal.Root
      opened={useDelayedOpen(isOpen)}
      onClose={guarded.close}
      closeOnEscape={useTopmost(isOpen, guarded.close)}
      size={width}
      radius="md"
      zIndex={200}
      transitionProps={{ transition: "fade", duration: 160 }}
    >
      <Modal.Overlay className={classes.overlay} />
      <Modal.Content
        classNames={{
          inner: width > 960 ? `${classes.inner} ${classes.high}` : classes.inner,
          content: classes.dialog,
        }}
        onFocus={guarded.onFocus}
      >
        <div className={classes.head}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
        {guarded.footer && <div className={classes.footer}>{guarded.footer}</div>}
      </Modal.Content>
    </Modal.Root>
  );
};
