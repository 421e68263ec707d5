import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { needsOnboarding, redirectFor } from "../session/guard.ts";
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

/** All pages with the menu around them: require a token and its user. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async (asking) => {
    const known = await requireUser(asking);
    const state = { from: asking.location.href };
    if (needsOnboarding(known.user)) throw redirect({ to: "/personalInformation", state, replace: true });
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
      const elsewhere = redirectFor(context.user, page.needs);
      if (elsewhere !== undefined) throw redirect({ to: elsewhere, replace: true });
    },
    component: page.screen,
  });

const nowhere = createRoute({ getParentRoute: () => signedIn, path: "$", component: NotFound });

const routes = root.addChildren([signedIn.addChildren([...pages.map(pageRoute), nowhere]), ...publicRoutes]);

/** Creates the console's router. Parameters of addresses are plain texts, see `parseSearch`. */
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
    /** The entry of pages.ts that a route was created from. */
    page?: Page;
  }
  interface HistoryState {
    /** The page the user requested before signing in. */
    from?: string;
    /** The secret of the mailed link that was opened. */
    secret?: string;
    /** When the mail that the page refers to was sent, epoch milliseconds. */
    sentAt?: number;
    /** The message for the login page. */
    outcome?: Outcome;
  }
}
