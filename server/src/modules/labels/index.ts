export { labelsPdf } from "./labels-pdf.ts";
export { labelRoutes } from "./routes.ts";
