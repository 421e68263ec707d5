export { refusePhone } from "./answer.ts";
export { contactRoutes } from "./routes.ts";
