import {
  IconAdjustmentsHorizontal,
  IconChevronDown,
  IconChevronUp,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from "@tabler/icons-react";
import { useId } from "react";
import { useRemembered } from "../../ui/remembered.ts";
import { Link } from "../../ui/router/link.tsx";
import type { MenuGroup as Name } from "../page.ts";
import classes from "./menu.module.css";
import { type MenuEntry, menuParts, useMenu } from "./use-menu.ts";

/** One page of the main menu. */
const MenuLink = ({ entry: { path, label, icon: EntryIcon, isOpen } }: { entry: MenuEntry }) => (
  <Link to={path} className={classes.entry} title={label} aria-current={isOpen ? "page" : undefined}>
    <EntryIcon size={18} stroke={1.6} aria-hidden />
    <span>{label}</span>
  </Link>
);

interface MenuGroupProps {
  group: Name;
  entries: readonly MenuEntry[];
}

/** Pages of the main menu under a collapsible heading that remembers its state. A rail shows their icons below the heading's. */
const MenuGroup = ({ group, entries }: MenuGroupProps) => {
  const id = useId();
  const [isUnfolded, setUnfolded] = useRemembered(`telltale-menu-${group.toLowerCase()}`, true);
  const hidesOpen = !isUnfolded && entries.some(({ isOpen }) => isOpen);
  const Chevron = isUnfolded ? IconChevronUp : IconChevronDown;
  return (
    <>
      <button
        type="button"
        className={classes.entry}
        title={group}
        aria-expanded={isUnfolded}
        aria-controls={id}
        data-hides-open={hidesOpen || undefined}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <IconAdjustmentsHorizontal size={18} stroke={1.6} aria-hidden />
        <span>{group}</span>
        <Chevron className={classes.chevron} size={15} stroke={1.8} aria-hidden />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div id={id} role="group" aria-label={group} className={classes.group} hidden={!isUnfolded}>
        {entries.map((entry) => (
          <MenuLink key={entry.path} entry={entry} />
        ))}
      </div>
    </>
  );
};

interface MenuProps {
  isRail: boolean;
  onToggle: () => void;
}

/** The main menu at the left; as a rail it shows only icons, with names for screen readers and on hover. */
export const Menu = ({ isRail, onToggle }: MenuProps) => {
  const entries = useMenu();
  const Toggle = isRail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleLabel = isRail ? "Expand menu" : "Collapse menu";
  return (
    <nav className={classes.menu} aria-label="Main menu" data-rail={isRail || undefined}>
      {menuParts(entries).map((part) =>
        "entries" in part ? <MenuGroup key={part.group} {...part} /> : <MenuLink key={part.path} entry={part} />,
      )}
      <button type="button" className={classes.collapse} onClick={onToggle} title={toggleLabel}>
        <Toggle size={18} stroke={1.6} aria-hidden />
        <span>{toggleLabel}</span>
      </button>
    </nav>
  );
};
