export { createJointControl } from "./control.ts";
export { jointRoutes } from "./routes.ts";
export { settle } from "./settle-queries.ts";
