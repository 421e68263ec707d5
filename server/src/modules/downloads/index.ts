export { createMonthlyPackagesJob } from "./monthly-packages-job.ts";
export { removePackagesBefore } from "./packages.ts";
export { downloadRoutes } from "./routes.ts";
