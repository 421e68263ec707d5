export { addFirstTiles } from "./first-tiles-queries.ts";
export { dashboardId, filledTiles } from "./queries.ts";
export { dashboardRoutes, tileOfferRoutes } from "./routes.ts";
