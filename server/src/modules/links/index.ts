export { alertLinkRoutes } from "./routes.ts";
