import { type Client, createClient } from "@telltale/contract/call/client";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { informAfterLoad } from "../ui/dialog/carried-message.ts";
import { client, leaveSession } from "./client.ts";
import { storeToken } from "./token.ts";

/**
 * Opens a new account of the user for this device, runs the work in it, and continues there with a page reload, after which `success` is shown. When
 * the work is refused, the session keeps its previous account.
 */
export const continueInNewAccount = async (
  deviceSnId: string,
  work: (newClient: Client, accountId: number) => Promise<void>,
  success: string,
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
  informAfterLoad(success);
  location.assign("/");
};
