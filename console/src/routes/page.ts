import type { Icon } from "@tabler/icons-react";
import type { lazyRouteComponent } from "@tanstack/react-router";
import type { Needs } from "../session/session.ts";

/** Which menu stands beside a page: the main menu, or that of the member's own account. */
export type MenuKind = "main" | "member";

/** Entries that stand together in the main menu, under a heading that folds. */
export type MenuGroup = "CONFIGURATION";

/** A screen with the menu around it. */
export interface Page {
  path: string;
  /** Of the document. */
  title: string;
  /** Who may open it; whoever may not is sent to the page that fits the role. */
  needs: Needs;
  /** Its entry in the main menu. A phone's tab bar has room for four with `tab`; the others are behind MENU. */
  menu?: { label: string; icon: Icon; tab?: boolean; group?: MenuGroup };
  /** Without it the main menu. */
  menuKind?: MenuKind;
  /** Path of the page whose menu entry is highlighted here, for a page without one; it may depend on what the address asks for. */
  under?: string | ((search: Readonly<Record<string, unknown>>) => string);
  screen: ReturnType<typeof lazyRouteComponent>;
}
