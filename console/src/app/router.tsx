import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { userQuery } from "../session/session.ts";
import { readToken } from "../session/token.ts";
import { detour } from "./guard.ts";
import { type Page, pages } from "./pages.ts";
import { NotFound } from "./screens/not-found.tsx";
import { ScreenFailure } from "./screens/screen-failure.tsx";
import { parseSearch, stringifySearch } from "./search.ts";
import { Frame, FrameFailure } from "./shell/frame.tsx";
import { Shell } from "./shell/shell.tsx";

interface Context {
  queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet });

/** Everything with the menu around it: needs a token and the user it belongs to. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context, location }) => {
    if (readToken() === undefined) throw redirect({ to: "/index", state: { from: location.href } });
    return { user: await context.queries.ensureQueryData(userQuery) };
  },
  component: Shell,
  pendingComponent: Frame,
  errorComponent: FrameFailure,
});

const pageRoute = (page: Page) =>
  createRoute({
    getParentRoute: () => signedIn,
    path: page.path,
    staticData: { page },
    beforeLoad: ({ context }) => {
      const elsewhere = detour(context.user, page.needs);
      if (elsewhere !== undefined) throw redirect({ to: elsewhere, replace: true });
    },
    component: page.screen,
  });

const index = createRoute({
  getParentRoute: () => root,
  path: "/index",
  component: lazyRouteComponent(() => import("./screens/index-screen.tsx"), "IndexScreen"),
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  component: lazyRouteComponent(() => import("./screens/login-screen.tsx"), "LoginScreen"),
});

const firstOwner = createRoute({
  getParentRoute: () => root,
  path: "/firstOwner",
  component: lazyRouteComponent(() => import("./screens/first-owner-screen.tsx"), "FirstOwnerScreen"),
});

/** Signing in by an address: with a support token, or with a session's token. */
const entries = [
  createRoute({
    getParentRoute: () => root,
    path: "/adminLogin",
    component: lazyRouteComponent(() => import("./screens/entry-screens.tsx"), "SupportEntry"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/dashboard",
    component: lazyRouteComponent(() => import("./screens/entry-screens.tsx"), "TokenEntry"),
  }),
];

const nowhere = createRoute({ getParentRoute: () => signedIn, path: "$", component: NotFound });

const routes = root.addChildren([
  signedIn.addChildren([...pages.map(pageRoute), nowhere]),
  index,
  login,
  firstOwner,
  ...entries,
]);

/** The console's router. Addresses hold plain texts, see `parseSearch`. */
export const createConsoleRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: routes,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
    defaultErrorComponent: ScreenFailure,
    defaultNotFoundComponent: NotFound,
  });

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** The row of pages.ts that a route was made of. */
    page?: Page;
  }
  interface HistoryState {
    /** Where the user wanted to go before signing in. */
    from?: string;
  }
}
