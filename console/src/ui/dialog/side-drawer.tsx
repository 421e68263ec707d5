import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./side-drawer.module.css";
import { useGuardedClose } from "./use-guarded-close.tsx";
import { useTopmost } from "./use-topmost.ts";

interface SideDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** The actions, right-aligned, with Cancel before the action. */
  footer?: ReactNode;
  children: ReactNode;
}

/** A drawer from the right, below the bar; on a phone it takes the whole width. Escape closes it. */
export const SideDrawer = ({ isOpen, onClose, title, footer, children }: SideDrawerProps): ReactNode => {
  const guarded = useGuardedClose(isOpen, onClose, footer);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={guarded.close}
      closeOnEscape={useTopmost(isOpen)}
      position="right"
      size={460}
      zIndex={200}
    >
      <Drawer.Overlay className={classes.overlay} />
      <Drawer.Content classNames={{ inner: classes.inner, content: classes.drawer }} onFocus={guarded.onFocus}>
        <div className={classes.head}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <Drawer.Body className={classes.body}>{children}</Drawer.Body>
        {guarded.footer && <div className={classes.footer}>{guarded.footer}</div>}
      </Drawer.Content>
    </Drawer.Root>
  );
};
