import { redirectFor } from "../session/guard.ts";
import type { Outcome } from "../session/outcome.ts";
import { callQuery } from "../session/use-call.ts";
import { loadPlain } from "../ui/load-with-retry.ts";
import { type Route, Router, redirect } from "../ui/router/router.ts";
import { eagerScreen, lazyScreen } from "../ui/router/screen.tsx";
import { type Context, requireOnboarded } from "./entry-guards.ts";
import { firstCalls } from "./first-calls.ts";
import type { Page } from "./page.ts";
import { pages } from "./pages.ts";
import { publicRoutes } from "./public.ts";
import { NotFound, ScreenFailure } from "./shell/failures.tsx";
import { Frame, FrameFailure } from "./shell/frame.tsx";

/** Of all pages with the menu around them. Before sign-in nothing of the shell is loaded. */
const shell = {
  frame: lazyScreen(() => loadPlain(() => import("./shell/shell.tsx")), "Shell"),
  pending: Frame,
  failure: FrameFailure,
};

const pageRoute = ({ path, needs, screen }: Page): Route<Context> => ({
  ...shell,
  path,
  screen,
  guard: (visit) =>
    requireOnboarded(visit).then((user) => {
      const elsewhere = redirectFor(user, needs);
      if (elsewhere !== undefined) throw redirect({ to: elsewhere });
      const { queries } = visit.context;
      // What fails is asked again by the screen, which says so. With each change of the address, such as of a rewound minute, it is there already.
      for (const query of (firstCalls[path] ?? []).map((call) => callQuery(call, {})))
        if (queries.getQueryState(query.queryKey) === undefined)
          void queries.prefetchQuery({ ...query, meta: { quiet: true, isShownInPlace: true } });
    }),
});

/** Creates the console's router. Parameters of addresses are plain texts, see `parseSearch`. */
export const createConsoleRouter = (context: Context): Router<Context> =>
  new Router({
    routes: [...pages.map(pageRoute), ...publicRoutes],
    fallback: { ...shell, path: "", screen: eagerScreen(NotFound), guard: requireOnboarded },
    context,
    failure: ScreenFailure,
  });

declare module "@tanstack/history" {
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
