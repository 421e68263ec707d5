import type { Client } from "aedes";
import { unauthenticatedOf } from "../mqtt/unauthenticated.ts";

/** User name of ThingsBoard's provisioning clients. */
export const provisioningUser = "provision";

/** The answer to every provisioning request, in the format of ThingsBoard's clients. */
export const notProvisioned = {
  status: "NOT_FOUND",
  errorMsg:
    "Devices don't register themselves here: the operator makes device IDs and access tokens with `telltale devices add`. Sign in with the access token",
} as const;

/**
 * Longest connection of a provisioning client, milliseconds, and how many may be connected at once. They need no token, so anyone can connect as one.
 */
const longestStay = 30_000;
const mostClients = 100;

/** How long a client may take to read its answer before it is disconnected, milliseconds. */
const disconnectGrace = 1_000;

/** Clients without a token that may ask for provisioning; the answer is always that it is not offered. */
export interface Provisioning {
  /** Admits a client; false when there are too many. */
  admit(client: Client): boolean;
  isGuest(client: Client): boolean;
  /** Whether the client's request may be answered: once per connection, which is then closed. */
  answer(client: Client): boolean;
}

export const createProvisioning = (): Provisioning => {
  const guests = new Set<Client>();
  const answered = new WeakSet<Client>();
  return {
    admit: (client) => {
      if (guests.size >= mostClients) return false;
      guests.add(client);
      unauthenticatedOf(client.conn)?.restrict();
      const timer = setTimeout(() => client.close(), longestStay);
      timer.unref();
      client.conn.once("close", () => {
        clearTimeout(timer);
        guests.delete(client);
      });
      return true;
    },
    isGuest: (client) => guests.has(client),
    answer: (client) => {
      if (answered.has(client)) return false;
      answered.add(client);
      setTimeout(() => client.close(), disconnectGrace).unref();
      return true;
    },
  };
};
