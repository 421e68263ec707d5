import { useLocalStorage } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useId } from "react";
import type { MenuGroup as Name } from "../page.ts";
import classes from "./menu.module.css";
import { MenuLink } from "./menu-link.tsx";
import type { MenuEntry } from "./use-menu.ts";

interface MenuGroupProps {
  group: Name;
  entries: readonly MenuEntry[];
}

/** Pages of the main menu under a heading that folds and stays as it was left. A rail shows their icons below the heading's. */
export const MenuGroup = ({ group, entries }: MenuGroupProps) => {
  const id = useId();
  const [isUnfolded, setUnfolded] = useLocalStorage({
    key: `telltale-menu-${group.toLowerCase()}`,
    defaultValue: true,
    getInitialValueInEffect: false,
  });
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
