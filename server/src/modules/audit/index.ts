export { auditRoutes } from "./log.ts";
