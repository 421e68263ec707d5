import { Drawer } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { useTopmost } from "../../ui/dialog/use-topmost.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./sheet.module.css";
import type { MenuEntry } from "./use-menu.ts";

interface SheetProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** A panel from the bottom of a phone's screen, within reach of the thumb. */
export const Sheet = ({ isOpen, onClose, title, children }: SheetProps) => (
  <Drawer.Root
    opened={isOpen}
    onClose={onClose}
    closeOnEscape={useTopmost(isOpen, onClose)}
    position="bottom"
    size="auto"
    zIndex={200}
  >
    <Drawer.Overlay className={classes.overlay} />
    <Drawer.Content classNames={{ inner: classes.inner, content: classes.sheet }}>
      <div className={classes.head}>
        <Drawer.Title className={classes.title}>{title}</Drawer.Title>
        <Drawer.CloseButton aria-label="Close" size={44} iconSize={20} />
      </div>
      <Drawer.Body className={classes.body}>{children}</Drawer.Body>
    </Drawer.Content>
  </Drawer.Root>
);

/** A menu's pages in a sheet, which closes on selection. */
export const SheetLinks = ({ entries, onClose }: { entries: readonly MenuEntry[]; onClose: () => void }) =>
  entries.map(({ path, label, icon: EntryIcon, isOpen, group }, index) => (
    <Fragment key={path}>
      {group && group !== entries[index - 1]?.group && <p className={classes.group}>{group}</p>}
      <Link to={path} className={classes.entry} aria-current={isOpen ? "page" : undefined} onClick={onClose}>
        <EntryIcon size={20} stroke={1.6} aria-hidden />
        {label}
      </Link>
    </Fragment>
  ));
