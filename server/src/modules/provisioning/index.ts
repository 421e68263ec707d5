export { createRegistration, type Registration } from "./registration.ts";
export { provisioningRoutes } from "./routes.ts";
