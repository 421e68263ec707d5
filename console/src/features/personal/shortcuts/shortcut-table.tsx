import { targetLabel } from "@telltale/contract/domains/people/personal";
import type { ReactNode } from "react";
import { Keycaps } from "../../../ui/keycaps.tsx";
import classes from "./keyboard.module.css";
import type { Shortcut } from "./use-shortcuts.ts";

interface ShortcutTableProps {
  label: string;
  shortcuts: readonly Shortcut[];
  /** Content at the end of a row. */
  operations?: (shortcut: Shortcut) => ReactNode;
}

/** Keys and their targets, one per row. */
export const ShortcutTable = ({ label, shortcuts, operations }: ShortcutTableProps): ReactNode => (
  <ul className={classes.shortcuts} aria-label={label}>
    {shortcuts.map((shortcut) => (
      <li key={shortcut.keys}>
        <span>{targetLabel(shortcut.target)}</span>
        <Keycaps keys={shortcut.keys} />
        {operations?.(shortcut)}
      </li>
    ))}
  </ul>
);
