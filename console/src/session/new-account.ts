import { type Client, createClient } from "@telltale/contract/call/client";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { client, leaveSession } from "./client.ts";
import { storeToken } from "./token.ts";

/**
 * Opens a new account of the user's for this device, does the work in it, and goes on there: the page is loaded afresh. When the work
 * is refused, the session stays where it was.
 */
export const goOnInNewAccount = async (
  deviceSnId: string,
  work: (newClient: Client, accountId: number) => Promise<void>,
): Promise<void> => {
  const { token, accountId } = await client(accounts.openAccount, { deviceSnId });
  const newClient = createClient({ baseUrl: "", token: () => token });
  try {
    await work(newClient, accountId);
  } catch (error) {
    await newClient(accounts.signOut).catch(() => undefined);
    throw error;
  }
  await leaveSession(async () => {
    await client(accounts.signOut).catch(() => undefined);
    storeToken(token);
  });
  location.assign("/");
};
