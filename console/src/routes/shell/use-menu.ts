import type { Icon } from "@tabler/icons-react";
import { useSession } from "../../session/session.ts";
import { useWholeSearch } from "../../ui/router/hooks.ts";
import type { MenuGroup } from "../page.ts";
import { pages } from "../pages.ts";
import { useOpenPage } from "./document-title.tsx";

export interface MenuEntry {
  path: string;
  label: string;
  icon: Icon;
  /** Whether a phone's tab bar shows it. */
  isTab: boolean;
  /** Whether the open page belongs to it. */
  isOpen: boolean;
  /** Its group heading. */
  group?: MenuGroup | undefined;
}

/** The main menu for this account's role. (spec 1 §6) */
export const useMenu = (): readonly MenuEntry[] => {
  const { can } = useSession();
  const open = useOpenPage();
  const search = useWholeSearch();
  const under = typeof open?.under === "function" ? open.under(search) : open?.under;
  return pages.flatMap(({ path, menu, needs }) =>
    menu && can(needs)
      ? [
          {
            path,
            label: menu.label,
            icon: menu.icon,
            isTab: menu.tab ?? false,
            group: menu.group,
            isOpen: path === (under ?? open?.path),
          },
        ]
      : [],
  );
};

/** An item of the menu: a page, or the pages of a group. */
export type MenuPart = MenuEntry | { group: MenuGroup; entries: readonly MenuEntry[] };

/** Groups the entries; a group is placed where its first entry is. */
export const menuParts = (entries: readonly MenuEntry[]): readonly MenuPart[] => {
  const groups = new Set<MenuGroup>();
  return entries.flatMap((entry): MenuPart[] => {
    const { group } = entry;
    if (!group) return [entry];
    if (groups.has(group)) return [];
    groups.add(group);
    return [{ group, entries: entries.filter((each) => each.group === group) }];
  });
};
