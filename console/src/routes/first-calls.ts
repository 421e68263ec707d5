import { alerts } from "@telltale/contract/domains/alerts";
import { tileCalls } from "@telltale/contract/domains/dashboard/tiles";
import type { AnyCall } from "../session/use-call.ts";

/**
 * Calls without input whose answers a screen begins with, by its address. They are asked while its code is being loaded: by `public/first.js` of the
 * address that the browser opens, else by the router. The build names them in the page.
 */
export const firstCalls: Readonly<Record<string, readonly AnyCall[]>> = {
  "/": [alerts.unconfirmed, tileCalls.tiles],
};
