export { provisioningRoutes } from "./keys.ts";
export { createRegistration, type Registration } from "./registration.ts";
