import type { Icon } from "@tabler/icons-react";
import { type ComponentType, createElement } from "react";
import type { Needs } from "../session/session.ts";
import { type SearchOf, type SearchSchema, useSearchOf } from "../ui/page/search.ts";
import type { Search } from "../ui/router/address.ts";
import { lazyScreen, type Screen } from "../ui/router/screen.tsx";

/** The menu beside a page: the main menu, or that of the user's own account. */
export type MenuKind = "main" | "member";

/** Groups of the main menu, under a collapsible heading. */
export type MenuGroup = "CONFIGURATION";

/** A screen with the menu around it. */
export interface Page {
  path: string;
  /** Title of the document. */
  title: string;
  /** What it requires; other users are redirected to the start page of their role. */
  needs: Needs;
  /** Its entry in the main menu. A phone's tab bar has space for four with `tab`; the others are behind MENU. */
  menu?: { label: string; icon: Icon; tab?: boolean; group?: MenuGroup };
  /** Defaults to the main menu. */
  menuKind?: MenuKind;
  /** For a page without a menu entry: path of the page whose entry is highlighted; it may depend on the address's parameters. */
  under?: string | ((search: Search) => string);
  screen: Screen;
}

/** A page's screen with parameters: it receives them from the address, as `search` declares them. */
export const screenWith = <
  S extends SearchSchema,
  Name extends string,
  Part extends Record<Name, ComponentType<SearchOf<S>>>,
>(
  search: S,
  load: () => Promise<Part>,
  name: Name,
): Screen =>
  lazyScreen(async () => {
    const part = await load();
    const Screen: ComponentType<SearchOf<S>> = part[name];
    return { default: () => createElement(Screen, useSearchOf(search)) };
  }, "default");
