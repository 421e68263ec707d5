export { createRetentionJob } from "./job.ts";
export { storageRoutes } from "./routes.ts";
