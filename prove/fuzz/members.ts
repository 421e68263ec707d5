import { randomBytes } from "node:crypto";
import { accounts } from "@telltale/contract/accounts";
import { createClient } from "@telltale/contract/client";
import { emailOf, type Person, password } from "../../e2e/people.ts";
import type { RunningServer } from "../../e2e/server-process.ts";

/** Who makes calls: nobody, or a member of the demonstration's plant by role. */
export const people = ["nobody", "owner", "admin", "manager", "installer", "viewer"] as const;
export type Who = (typeof people)[number];

/** Signed-in people who come back whenever a call has signed them out or removed them. */
export interface Members {
  tokenOf(who: Who): string | undefined;
  /** The token was refused: signs in again, as a new member if need be. */
  signInAgain(who: Who, refused: string): Promise<void>;
}

/** From an address of its own, because the calls use up the tries of all others. */
const signIn = async ({ baseURL }: RunningServer, email: string): Promise<string> => {
  const headers = { "x-forwarded-for": `192.0.2.${1 + (randomBytes(1)[0] ?? 0)}` };
  const from: typeof fetch = (address, init) =>
    fetch(address, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } });
  const visitor = createClient({ baseUrl: baseURL, token: () => undefined, fetch: from });
  return (await visitor(accounts.login, { email, password })).token;
};

const newMember = async (server: RunningServer, role: Exclude<Person, "owner">): Promise<string> => {
  const email = `${role}.${randomBytes(4).toString("hex")}@example.test`;
  const plant = ["--plant-of", emailOf("owner"), "--role", role];
  await server.telltale("users", "add", "--email", email, "--password", password, ...plant);
  return email;
};

/** Signs in one member of each role. */
export const signInAll = async (server: RunningServer): Promise<Members> => {
  const tokens = new Map<Who, string>();
  const emails = new Map<Who, string>();
  const underWay = new Map<Who, Promise<void>>();
  const again = async (who: Exclude<Who, "nobody">): Promise<void> => {
    const known = await signIn(server, emails.get(who) ?? emailOf(who)).catch(() => undefined);
    if (known === undefined && who !== "owner") emails.set(who, await newMember(server, who));
    tokens.set(who, known ?? (await signIn(server, emails.get(who) ?? emailOf(who))));
  };
  const signInAgain = (who: Who, refused?: string): Promise<void> => {
    if (who === "nobody" || tokens.get(who) !== refused) return Promise.resolve();
    const work = underWay.get(who) ?? again(who).finally(() => underWay.delete(who));
    underWay.set(who, work);
    return work;
  };
  for (const who of people) await signInAgain(who);
  return { tokenOf: (who) => tokens.get(who), signInAgain };
};
