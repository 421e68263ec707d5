import type { Icon } from "@tabler/icons-react";
import { useSession } from "../../session/session.ts";
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

/** The main menu of this account's role. (spec 1 §6) */
export const useMenu = (): readonly MenuEntry[] => {
  const { can } = useSession();
  const open = useOpenPage();
  return pages.flatMap(({ path, menu, needs }) =>
    menu && can(needs)
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
