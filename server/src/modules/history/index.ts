export { periodsTouching, type TouchingPeriod } from "./queries.ts";
export { historyRoutes } from "./routes.ts";
export { trendRoutes } from "./trends.ts";
