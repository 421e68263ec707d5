export { addFirstTiles } from "./first-tiles-queries.ts";
export { dashboardRoutes } from "./routes.ts";
