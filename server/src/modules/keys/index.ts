export { keyFinder } from "./key-finder.ts";
export { revokeKeysOf } from "./queries.ts";
export { apiKeyRoutes } from "./routes.ts";
