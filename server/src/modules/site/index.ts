export { outboxRoutes } from "./outbox.ts";
