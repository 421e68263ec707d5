export { pushRoutes } from "./routes.ts";
