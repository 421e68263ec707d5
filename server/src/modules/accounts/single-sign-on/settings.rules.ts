import { Role } from "@telltale/contract/permissions";
import { z } from "zod";

/** A group at the provider and the role that it gives. */
export interface GroupRole {
  /** `*` stands for everybody. */
  group: string;
  role: Role;
}

/** The operator's OpenID Connect provider. */
export interface ProviderSettings {
  issuer: string;
  clientId: string;
  secret: string;
  /** What users call it; on the button. */
  name: string;
  scope: string;
  groupsClaim: string;
  roles: readonly GroupRole[];
}

/** Role names in settings. */
const rolesByName: Readonly<Record<string, Role>> = {
  owner: Role.owner,
  admin: Role.admin,
  manager: Role.deviceManager,
  installer: Role.installer,
  viewer: Role.viewer,
};

/** Reads `group=role` pairs; undefined for a role that does not exist. Names of directories contain commas and equal signs: semicolons separate, too, and the last equal sign counts. */
const groupRolesIn = (text: string): GroupRole[] | undefined => {
  const pairs = text
    .split(text.includes(";") ? ";" : ",")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "");
  const read = pairs.flatMap((pair): GroupRole[] => {
    const at = pair.lastIndexOf("=");
    const [group, role] = [pair.slice(0, Math.max(at, 0)).trim(), rolesByName[pair.slice(at + 1).trim()]];
    return group === "" || role === undefined ? [] : [{ group, role }];
  });
  return read.length === pairs.length ? read : undefined;
};

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Secrets travel to the provider, so only this machine is reached without https. */
const isIssuer = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.search || url.hash) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname));
};

/** The environment variables of single sign-on and of passwords: see `config.ts`. */
export const signOnVariables = {
  OIDC_ISSUER: {
    is: "the provider's address, by https, such as https://login.example.com/realms/plant",
    schema: z.string().refine(isIssuer).optional(),
  },
  OIDC_CLIENT_ID: { is: "a text", schema: z.string().optional() },
  OIDC_SECRET: { is: "a text", schema: z.string().optional() },
  OIDC_NAME: { is: "at most 40 characters, such as Riverside Works", schema: z.string().max(40).optional() },
  OIDC_SCOPE: {
    is: "words with openid and email among them, such as openid email profile groups",
    schema: z
      .string()
      .refine((text) => ["openid", "email"].every((word) => text.split(/\s+/).includes(word)))
      .default("openid email profile"),
  },
  OIDC_GROUPS_CLAIM: { is: "the name of a claim, such as groups", schema: z.string().max(200).default("groups") },
  OIDC_ROLES: {
    is: "groups with owner, admin, manager, installer or viewer, such as plant-admins=admin,*=viewer",
    schema: z
      .string()
      .transform((text, context) => {
        const roles = groupRolesIn(text);
        if (roles === undefined) context.addIssue("not a list of groups");
        return roles ?? z.NEVER;
      })
      .optional(),
  },
  PASSWORD_LOGIN: {
    is: "0, which switches passwords off, or 1",
    schema: z
      .enum(["0", "1"])
      .default("1")
      .transform((text) => text === "1"),
  },
  PASSWORD_LOGIN_FOR: {
    is: "the e-mail address of the owner who keeps the password, such as owner@example.com",
    schema: z.email().optional(),
  },
};

type Variables = { [K in keyof typeof signOnVariables]: z.output<(typeof signOnVariables)[K]["schema"]> } & {
  PUBLIC_URL: string | undefined;
  TELLTALE_DEMO: boolean;
};

/** What is wrong with these variables together, in one line; undefined for nothing. */
export const signOnProblem = (values: Variables): string | undefined => {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_SECRET, PUBLIC_URL } = values;
  const isComplete = OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_SECRET;
  if ((OIDC_ISSUER ?? OIDC_CLIENT_ID ?? OIDC_SECRET ?? values.OIDC_NAME ?? values.OIDC_ROLES) && !isComplete)
    return "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_SECRET have to be given with each other, for single sign-on";
  if (isComplete && !PUBLIC_URL)
    return "Single sign-on returns to the console's address: set PUBLIC_URL beside OIDC_ISSUER";
  if (!values.PASSWORD_LOGIN && !isComplete)
    return "PASSWORD_LOGIN=0 would let nobody sign in: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_SECRET too, or leave it out";
  if (!values.PASSWORD_LOGIN && values.TELLTALE_DEMO)
    return "PASSWORD_LOGIN=0 would keep the demonstration's users out, who have nothing but a password: set TELLTALE_DEMO=0 too";
  if (values.PASSWORD_LOGIN && values.PASSWORD_LOGIN_FOR)
    return "PASSWORD_LOGIN_FOR names the one who keeps the password when the others' are off: set PASSWORD_LOGIN=0 too, or leave it out";
  return undefined;
};

/** The provider; undefined when there is none. */
export const providerSettingsOf = (values: Variables): ProviderSettings | undefined => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_SECRET: secret } = values;
  if (!issuer || !clientId || !secret) return undefined;
  return {
    ...{ issuer, clientId, secret, name: values.OIDC_NAME ?? new URL(issuer).hostname },
    ...{ scope: values.OIDC_SCOPE, groupsClaim: values.OIDC_GROUPS_CLAIM, roles: values.OIDC_ROLES ?? [] },
  };
};

/** Who signs in with a password. */
export const passwordPolicyOf = (values: Variables) => ({
  isOff: !values.PASSWORD_LOGIN,
  keptFor: values.PASSWORD_LOGIN_FOR,
  instead: providerSettingsOf(values)?.name ?? "",
});

/** The highest role that a person's groups give; undefined when they give none. */
export const roleOfGroups = (roles: readonly GroupRole[], groups: readonly string[]): Role | undefined =>
  roles
    .filter(({ group }) => group === "*" || groups.includes(group))
    .map(({ role }) => role)
    .toSorted((a, b) => a - b)[0];
