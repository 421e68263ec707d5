import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet } from "@tanstack/react-router";

interface Context {
  queries: QueryClient;
}

/** Above every route. */
export const root = createRootRouteWithContext<Context>()({ component: Outlet });
