import type { Icon } from "@tabler/icons-react";
import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { type ComponentType, createElement } from "react";
import type { Needs } from "../session/session.ts";
import { type Search, type SearchOf, type SearchSchema, useSearchOf } from "../ui/page/search.ts";

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
  under?: string | ((search: Search) => string);
  screen: RouteComponent;
}

/** The screen of a page that takes parameters: it is given what the address says, as `search` declares it. */
export const screenWith = <
  S extends SearchSchema,
  Name extends string,
  Part extends Record<Name, ComponentType<SearchOf<S>>>,
>(
  search: S,
  load: () => Promise<Part>,
  name: Name,
): RouteComponent =>
  lazyRouteComponent(() =>
    load().then((part) => {
      const Screen: ComponentType<SearchOf<S>> = part[name];
      return { default: () => createElement(Screen, useSearchOf(search)) };
    }),
  );
