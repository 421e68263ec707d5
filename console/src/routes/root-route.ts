import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, type SearchSchemaInput } from "@tanstack/react-router";
import { parseSearch, type Search, type SearchInput, stringifySearch } from "../ui/page/search.ts";

interface Context {
  queries: QueryClient;
}

/** Above every route. */
export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  // Links say numbers, too; whoever reads the address finds texts, before and after it was written.
  validateSearch: (search: SearchInput & SearchSchemaInput): Search => parseSearch(stringifySearch(search)),
});
