import type { Client } from "aedes";
import { strangerOf } from "../mqtt/strangers.ts";

/** What ThingsBoard's provisioning clients sign in as. */
export const provisioningUser = "provision";

/** The answer to a provisioning request, in the words of ThingsBoard's clients. */
export const notProvisioned = {
  status: "NOT_FOUND",
  errorMsg:
    "Devices don't register themselves here: the operator makes device IDs and access tokens with `telltale devices add`. Sign in with the access token",
} as const;

/** How long a provisioning client may stay, milliseconds, and how many may be there at once. They have no token, so anybody can be one. */
const longestStay = 30_000;
const mostClients = 100;

/** How long a guest may take to read its answer, milliseconds. */
const farewellTime = 1_000;

/** Strangers who may ask for provisioning, and are told that there is none. */
export interface Provisioning {
  /** Lets a client in; false when there are too many. */
  admit(client: Client): boolean;
  isGuest(client: Client): boolean;
  /** Whether a guest may be answered: it may once, and has to go then. */
  answer(client: Client): boolean;
}

export const createProvisioning = (): Provisioning => {
  const guests = new Set<Client>();
  const answered = new WeakSet<Client>();
  return {
    admit: (client) => {
      if (guests.size >= mostClients) return false;
      guests.add(client);
      strangerOf(client.conn)?.becomeGuest();
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
      setTimeout(() => client.close(), farewellTime).unref();
      return true;
    },
  };
};
