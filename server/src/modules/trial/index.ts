export { alarmTrialRoutes } from "./routes.ts";
