import type { Icon } from "@tabler/icons-react";
import { useSession } from "../../session/session.ts";
import type { MenuKind } from "../page.ts";
import { pages } from "../pages.ts";
import { useOpenPage } from "./telltale.tsx";

export interface MenuEntry {
  path: string;
  label: string;
  icon: Icon;
  /** Whether a phone's tab bar shows it. */
  isTab: boolean;
  /** Whether the page that is open belongs to it. */
  isOpen: boolean;
}

/** Which menu stands beside the page that is open. */
export const useMenuKind = (): MenuKind => useOpenPage()?.menuKind ?? "main";

/** A menu, as far as this account's role opens its pages. (spec 1 §6) */
export const useMenu = (kind: MenuKind): readonly MenuEntry[] => {
  const { can } = useSession();
  const open = useOpenPage();
  return pages.flatMap(({ path, menu, menuKind = "main", needs }) =>
    menu && menuKind === kind && can(needs)
      ? [
          {
            path,
            label: menu.label,
            icon: menu.icon,
            isTab: menu.tab ?? false,
            isOpen: path === (open?.under ?? open?.path),
          },
        ]
      : [],
  );
};
