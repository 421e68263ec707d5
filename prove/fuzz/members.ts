import { randomBytes } from "node:crypto";
import { createClient } from "@telltale/contract/call/client";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { password as demonstrationPassword, emailOf, type Person } from "../../e2e/people.ts";
import type { RunningServer } from "../../e2e/server-process.ts";

/** Callers: without a session, or a member of the demonstration's plant by role. */
export const people = ["nobody", "owner", "admin", "manager", "installer", "viewer"] as const;
export type CallerRole = (typeof people)[number];

/** Sessions that are renewed whenever a call has signed them out or removed the user. */
export interface Members {
  tokenOf(who: CallerRole): string | undefined;
  /** Signs in again after the token was refused, as a new member if necessary. */
  signInAgain(who: CallerRole, refused: string): Promise<void>;
  /** Adds new units to the plant, because calls delete existing ones over time. */
  addUnits(): Promise<void>;
}

/** Uses a separate address, because the calls exhaust the attempts of all others. */
const signIn = async ({ baseURL }: RunningServer, email: string, password: string): Promise<string> => {
  const headers = { "x-forwarded-for": `192.0.2.${1 + (randomBytes(1)[0] ?? 0)}` };
  const from: typeof fetch = (address, init) =>
    fetch(address, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } });
  const visitor = createClient({ baseUrl: baseURL, token: () => undefined, fetch: from });
  return (await visitor(accounts.login, { email, password })).token;
};

const freshDomain = "@added.example.test";

const freshEmail = (name: string): string => `${name}.${randomBytes(4).toString("hex")}${freshDomain}`;

/** Password of the users added here: the demonstration's counts as a common one. */
const secret = "as long as it takes";

const passwordOf = (email: string): string => (email.endsWith(freshDomain) ? secret : demonstrationPassword);

/** The plant under test: the demonstration's, until a call has given its owner another one; then a new owner's. */
const createPlant = (server: RunningServer) => {
  let owner = emailOf("owner");
  const addUser = (email: string, ...rest: string[]) =>
    server.telltale("users", "add", "--email", email, "--password", secret, ...rest);
  const settle = async (): Promise<void> => {
    owner = freshEmail("owner");
    await addUser(owner, "--owner");
  };
  /** The command requires the plant's name when the owner has several. */
  const inPlant = <T>(work: () => Promise<T>): Promise<T> => work().catch(() => settle().then(work));
  return {
    owner: () => owner,
    settle,
    newMember: async (role: Exclude<Person, "owner">): Promise<string> => {
      const email = freshEmail(role);
      await inPlant(() => addUser(email, "--plant-of", owner, "--role", role));
      return email;
    },
    addUnits: async (): Promise<void> => {
      for (const model of ["MIX", "AIS"])
        await inPlant(() => server.telltale("devices", "add", "--model", model, "--owner", owner));
      await server.telltale("devices", "add", "--model", "DOS", "--count", "2");
    },
  };
};

/** Signs in one member of each role. */
export const signInAll = async (server: RunningServer): Promise<Members> => {
  const plant = createPlant(server);
  const tokens = new Map<CallerRole, string>();
  const emails = new Map<CallerRole, string>();
  const signInsInProgress = new Map<CallerRole, Promise<void>>();
  const freshEmailOf = async (who: Exclude<CallerRole, "nobody">): Promise<string> => {
    if (who !== "owner") return plant.newMember(who);
    await plant.settle();
    return plant.owner();
  };
  const again = async (who: Exclude<CallerRole, "nobody">): Promise<void> => {
    const email = who === "owner" ? plant.owner() : (emails.get(who) ?? emailOf(who));
    const known = await signIn(server, email, passwordOf(email)).catch(() => undefined);
    const fresh = known === undefined ? await freshEmailOf(who) : email;
    emails.set(who, fresh);
    tokens.set(who, known ?? (await signIn(server, fresh, passwordOf(fresh))));
  };
  const signInAgain = (who: CallerRole, refused?: string): Promise<void> => {
    if (who === "nobody" || tokens.get(who) !== refused) return Promise.resolve();
    const work = signInsInProgress.get(who) ?? again(who).finally(() => signInsInProgress.delete(who));
    signInsInProgress.set(who, work);
    return work;
  };
  for (const who of people) await signInAgain(who);
  return { tokenOf: (who) => tokens.get(who), signInAgain, addUnits: plant.addUnits };
};
