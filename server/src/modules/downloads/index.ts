export { createMonthlyPackagesJob } from "./monthly-packages-job.ts";
export { downloadRoutes } from "./routes.ts";
