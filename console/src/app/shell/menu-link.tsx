import { Link } from "@tanstack/react-router";
import classes from "./menu.module.css";
import type { MenuEntry } from "./use-menu.ts";

/** One page of the main menu. */
export const MenuLink = ({ entry: { path, label, icon: EntryIcon, isOpen } }: { entry: MenuEntry }) => (
  <Link to={path} className={classes.entry} title={label} aria-current={isOpen ? "page" : undefined}>
    <EntryIcon size={18} stroke={1.6} aria-hidden />
    <span>{label}</span>
  </Link>
);
