import { accounts } from "./accounts.ts";
import { alerts } from "./alerts.ts";
import type { Calls } from "./call.ts";
import { channels } from "./channels.ts";
import { dashboards } from "./dashboards.ts";
import { devices } from "./devices.ts";
import { downloads } from "./downloads.ts";
import { history } from "./history.ts";
import { orders } from "./orders.ts";
import { sandbox } from "./sandbox.ts";

/** Every call of the contract by domain: for the API documentation and for tests that go through all of them. */
export const allCalls = {
  accounts,
  alerts,
  channels,
  dashboards,
  devices,
  downloads,
  history,
  orders,
  sandbox,
} satisfies Record<string, Calls>;
