import { expect, type Page } from "@playwright/test";
import { type Client, createClient } from "@telltale/contract/call/client";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import type { RunningServer } from "./server-process.ts";

/** The demonstration's users, one per role. */
export type Person = "owner" | "admin" | "manager" | "installer" | "viewer";

export const emailOf = (person: Person): string => `${person}@telltale.local`;
export const password = "telltale-demo";

type ServerAddress = Pick<RunningServer, "baseURL">;

/**
 * Signs in; the demonstration's users all have the same password. Selects the user's first account, whichever one another test has used.
 */
const signIn = async ({ baseURL }: ServerAddress, email: string, secret = password) => {
  const visitor = createClient({ baseUrl: baseURL, token: () => undefined });
  const login = (accountId?: number) =>
    visitor(accounts.login, { email, password: secret, ...(accountId === undefined ? {} : { accountId }) });
  const last = await login();
  const [first] = last.accounts;
  const isElsewhere = email.endsWith("@telltale.local") && first?.isShow === 0;
  const { token, hasInfo } = isElsewhere ? await login(first.accountId) : last;
  return { token, hasInfo, client: createClient({ baseUrl: baseURL, token: () => token }) };
};

/** The contract's client, signed in. */
export const clientOf = async (server: ServerAddress, email = emailOf("owner"), secret = password): Promise<Client> =>
  (await signIn(server, email, secret)).client;

const answers = {
  company: "Riverside Works",
  industry: "Manufacturing",
  firstName: "Mary",
  lastName: "Okafor",
} as const;

/** Signs in as a user who has completed onboarding. */
const signInOnboarded = async (server: ServerAddress, email: string, secret: string): Promise<string> => {
  const { token, hasInfo, client } = await signIn(server, email, secret);
  if (!hasInfo) await client(profile.introduce, answers);
  return token;
};

/** Opens the start page of the role, signed in without the login form and the onboarding. */
export const openSignedInAs = async (
  page: Page,
  server: ServerAddress,
  email: string,
  secret = password,
): Promise<void> => {
  const token = await signInOnboarded(server, email, secret);
  await page.goto(`${server.baseURL}/dashboard?accessToken=${token}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible({ timeout: 30_000 });
};

/** Opens the start page of a demonstration user's role. */
export const openSignedIn = (page: Page, server: ServerAddress, person: Person = "owner"): Promise<void> =>
  openSignedInAs(page, server, emailOf(person));

/** Signs the page in for its next navigation, for tests that do not start at the dashboard. */
export const injectSessionAs = async (
  page: Page,
  server: ServerAddress,
  email: string,
  secret = password,
): Promise<void> => {
  const given = { origin: server.baseURL, token: await signInOnboarded(server, email, secret) };
  await page.addInitScript(({ origin, token }) => {
    // Once, so that a later sign-out or sign-in is kept.
    if (location.origin !== origin || sessionStorage.getItem(token)) return;
    sessionStorage.setItem(token, "used");
    localStorage.setItem("telltale-token", token);
  }, given);
};

/** `injectSessionAs` a demonstration user. */
export const injectSession = (page: Page, server: ServerAddress, person: Person = "owner"): Promise<void> =>
  injectSessionAs(page, server, emailOf(person));

/** Opens the support view of a demonstration user; resolves when the link has been exchanged for a session. */
export const openSupportView = async (page: Page, server: RunningServer, person: Person = "owner"): Promise<void> => {
  const [support] = await server.telltale<{ link: string }[]>("support-link", "--email", emailOf(person));
  await page.goto(support?.link ?? "");
  await expect(page.getByRole("banner")).toContainText("Read-only support view");
};
