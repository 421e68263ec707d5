export type { OperatorContacts } from "./items.ts";
export { supportRoutes } from "./routes.ts";
