export { personalRoutes } from "./routes.ts";
export { keyboardRoutes } from "./shortcut-routes.ts";
