import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, type SearchSchemaInput } from "@tanstack/react-router";
import { parseSearch, type Search, type SearchInput, stringifySearch } from "../ui/page/search.ts";

interface Context {
  queries: QueryClient;
}

/** The root of all routes. */
export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  // Links may contain numbers; parameters are normalised to texts, so that readers see the same before and after serialisation.
  validateSearch: (search: SearchInput & SearchSchemaInput): Search => parseSearch(stringifySearch(search)),
});
