export { siteRoutes } from "./outbox.ts";
