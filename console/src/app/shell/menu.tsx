import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from "@tabler/icons-react";
import classes from "./menu.module.css";
import { MenuGroup } from "./menu-group.tsx";
import { MenuLink } from "./menu-link.tsx";
import { menuParts, useMenu } from "./use-menu.ts";

interface MenuProps {
  isRail: boolean;
  onToggle: () => void;
}

/** The main menu at the left; as a rail it shows the icons only, and the names to screen readers and on hover. */
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
