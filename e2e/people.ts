import { expect, type Page } from "@playwright/test";
import { accounts } from "@telltale/contract/accounts";
import { type Client, createClient } from "@telltale/contract/client";
import type { RunningServer } from "./server-process.ts";

/** The demonstration's users, one of each role. */
export type Person = "owner" | "admin" | "manager" | "installer" | "viewer";

export const emailOf = (person: Person): string => `${person}@telltale.local`;
export const password = "telltale-demo";

type Somewhere = Pick<RunningServer, "baseURL">;

/** A new sign-in's token; the demonstration's users all have the same password. */
const tokenOf = async ({ baseURL }: Somewhere, email: string, secret = password): Promise<string> => {
  const visitor = createClient({ baseUrl: baseURL, token: () => undefined });
  const { token } = await visitor(accounts.login, { email, password: secret });
  return token;
};

/** The contract's client, signed in. */
export const clientOf = async (server: Somewhere, email = emailOf("owner"), secret = password): Promise<Client> => {
  const token = await tokenOf(server, email, secret);
  return createClient({ baseUrl: server.baseURL, token: () => token });
};

/** Opens the page that fits the role, signed in without the detour over the login form. */
export const enterAs = async (page: Page, server: Somewhere, email: string, secret = password): Promise<void> => {
  await page.goto(`${server.baseURL}/dashboard?accessToken=${await tokenOf(server, email, secret)}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible({ timeout: 30_000 });
};

/** Opens the page that fits the role of a demonstration user. */
export const enter = (page: Page, server: Somewhere, person: Person = "owner"): Promise<void> =>
  enterAs(page, server, emailOf(person));
