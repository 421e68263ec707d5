import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { detour, isStranger } from "../session/guard.ts";
import type { Outcome } from "../session/outcome.ts";
import { parseSearch, stringifySearch } from "../ui/page/search.ts";
import { requireUser } from "./entry-guards.ts";
import type { Page } from "./page.ts";
import { pages } from "./pages.ts";
import { publicRoutes } from "./public.ts";
import { root } from "./root-route.ts";
import { NotFound, ScreenFailure } from "./shell/failures.tsx";
import { Frame, FrameFailure } from "./shell/frame.tsx";
import { Shell } from "./shell/shell.tsx";

/** Everything with the menu around it: needs a token and the user it belongs to. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async (asking) => {
    const known = await requireUser(asking);
    const state = { from: asking.location.href };
    if (isStranger(known.user)) throw redirect({ to: "/personalInformation", state, replace: true });
    return known;
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

const nowhere = createRoute({ getParentRoute: () => signedIn, path: "$", component: NotFound });

const routes = root.addChildren([signedIn.addChildren([...pages.map(pageRoute), nowhere]), ...publicRoutes]);

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
    /** The secret of the mailed link that was opened. */
    secret?: string;
    /** When the mail was sent that the page speaks of, epoch milliseconds. */
    sentAt?: number;
    /** What the login page has to say. */
    outcome?: Outcome;
  }
}
