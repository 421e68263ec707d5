import type { Client } from "aedes";
import { unauthenticatedOf } from "../mqtt/unauthenticated.ts";

/** User name of ThingsBoard's provisioning clients. */
export const provisioningUser = "provision";

/**
 * Longest connection of a provisioning client, milliseconds, and how many may be connected at once. They need no token, so anyone can connect as one;
 * a fleet that is switched on at once connects as that many.
 */
const longestStay = 30_000;
const mostClients = 1_000;

/** How long a client may take to read its answer before it is disconnected, milliseconds. */
const disconnectGrace = 1_000;

/** Clients without a token, which may ask for one. */
export interface ProvisioningGuests {
  /** Admits a client, if need be in the place of the one that has not asked for longest; false when all have asked and wait. */
  admit(client: Client): boolean;
  isGuest(client: Client): boolean;
  /** The client's address, when its request may be answered: once per connection. */
  begin(client: Client): string | undefined;
  /** Ends the connection of a client that was answered, after it has had time to read the answer. */
  end(client: Client): void;
}

export const createProvisioningGuests = (): ProvisioningGuests => {
  const guests = new Set<Client>();
  /** Those that have not asked, the oldest first. */
  const silent = new Set<Client>();
  return {
    admit: (client) => {
      if (guests.size >= mostClients) {
        const [oldest] = silent;
        if (!oldest) return false;
        silent.delete(oldest);
        oldest.close();
      }
      guests.add(client);
      silent.add(client);
      unauthenticatedOf(client.conn)?.restrict();
      const timer = setTimeout(() => client.close(), longestStay);
      timer.unref();
      client.conn.once("close", () => {
        clearTimeout(timer);
        guests.delete(client);
        silent.delete(client);
      });
      return true;
    },
    isGuest: (client) => guests.has(client),
    begin: (client) => {
      if (!silent.delete(client)) return undefined;
      return unauthenticatedOf(client.conn)?.address;
    },
    end: (client) => void setTimeout(() => client.close(), disconnectGrace).unref(),
  };
};
