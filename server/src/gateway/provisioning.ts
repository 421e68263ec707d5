import type { Client } from "aedes";

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

/** Strangers who may ask for provisioning, and are told that there is none. */
export interface Provisioning {
  /** Lets a client in; false when there are too many. */
  admit(client: Client): boolean;
  isGuest(client: Client): boolean;
}

export const createProvisioning = (): Provisioning => {
  const guests = new Set<Client>();
  return {
    admit: (client) => {
      if (guests.size >= mostClients) return false;
      guests.add(client);
      const timer = setTimeout(() => client.close(), longestStay);
      timer.unref();
      client.conn.once("close", () => {
        clearTimeout(timer);
        guests.delete(client);
      });
      return true;
    },
    isGuest: (client) => guests.has(client),
  };
};
