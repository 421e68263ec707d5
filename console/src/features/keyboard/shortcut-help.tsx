import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import classes from "./keyboard.module.css";
import { ShortcutTable } from "./shortcut-table.tsx";
import type { Shortcut } from "./use-shortcuts.ts";

interface ShortcutHelpProps {
  isOpen: boolean;
  onClose: () => void;
  standard: readonly Shortcut[];
  own: readonly Shortcut[];
}

const isPage = ({ target }: Shortcut): boolean => target.startsWith("/");

/** The list that `?` opens: what the keys do here. */
export const ShortcutHelp = ({ isOpen, onClose, standard, own }: ShortcutHelpProps): ReactNode => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
    <div className={classes.dialog}>
      <h3 className={classes.heading}>On this page</h3>
      <ShortcutTable label="On this page" shortcuts={standard.filter((each) => !isPage(each))} />
      <h3 className={classes.heading}>Pages</h3>
      <ShortcutTable label="Pages" shortcuts={standard.filter(isPage)} />
      {own.length > 0 && (
        <>
          <h3 className={classes.heading}>Your own</h3>
          <ShortcutTable label="Your own" shortcuts={own} />
        </>
      )}
      <p className={classes.note}>
        <Link to="/keyboard" onClick={onClose}>
          Change or switch off keyboard shortcuts
        </Link>
      </p>
    </div>
  </Dialog>
);
