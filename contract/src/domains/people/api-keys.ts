import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { type Grant, permissions, Role } from "../../permissions.ts";
import { namedField } from "../../text/text-fields.ts";

/** What an API key starts with: it is recognised as one wherever it turns up, and never taken for a session's token. */
export const apiKeyPrefix = "telltale_";

/** Sentences about API keys. */
export const KeyMessage = {
  noSuchKey: "This API key is not valid: it is mistyped, revoked or expired, or its member has left the plant",
  readOnlyKey: "This API key is read-only",
  notByKey: "An API key cannot do this: sign in to the console",
  ownPlantOnly: "An API key adds devices to its own plant only: leave accountId out, or use a key of the other plant",
} as const;

/** Most API keys of one member, and calls of one key within a minute. */
export const maxApiKeys = 20;
export const maxKeyCalls = 12_000;

/** An API key: a program acts by it as its member, with a role of its own. */
export const ApiKeyRow = z.object({
  apiKeyId: z.int(),
  keyName: z.string(),
  /** The beginning of the key, by which its holder recognises it. */
  beginning: z.string(),
  roleType: z.enum(Role),
  readOnly: z.boolean(),
  /** The member to whose account it belongs. */
  email: z.string(),
  /** Whether it is the caller's own. */
  isOwn: z.boolean(),
  createdTime: wire.time(),
  /** When it ends; null: when it is revoked. */
  expiresTime: wire.time().nullable(),
  /** When and from which address it was last used; null and empty before. */
  usedTime: wire.time().nullable(),
  usedAddress: z.string(),
});
export type ApiKeyRow = z.output<typeof ApiKeyRow>;

/** For how many days a key may be made; 0: until it is revoked. */
export const keyDays = [30, 90, 365, 0] as const;

const heldBy = (role: Role): string[] =>
  Object.entries(permissions).flatMap(([name, { roles }]: [string, Grant]) => (roles.includes(role) ? [name] : []));

/** The roles that hold no permission which `role` lacks, from the highest: those of an API key that a member of this role may make. */
export const rolesWithin = (role: Role): Role[] => {
  const own = new Set(heldBy(role));
  return Object.values(Role).filter((each) => each >= role && heldBy(each).every((name) => own.has(name)));
};

/** Who calls. */
const Holder = z.object({
  /** Null for a session. */
  keyName: z.string().nullable(),
  userId: z.int(),
  accountId: z.int(),
  plantId: z.int(),
  plantName: z.string(),
  roleType: z.enum(Role),
  readOnly: z.boolean(),
  /** When the key ends; null: when it is revoked, or the session ends. */
  expiresTime: wire.time().nullable(),
});

/** API keys: programs call by them what their role may, in `Authorization: Bearer`. */
export const apiKeys = {
  list: get("/api/key/list", {
    access: "keys.read",
    summary: "The caller's API keys, and to owner and admins those of the plant, newest first",
    result: z.array(ApiKeyRow),
  }),
  add: post("/api/key/add", {
    access: "keys.write",
    summary: "Makes an API key to the caller's account; the key is answered this once",
    body: z.object({
      keyName: namedField("Key name cannot be blank"),
      roleType: wire.oneOf(Role, "Choose a role"),
      readOnly: wire.oneOf([0, 1], "Send 1 for a key that only reads, 0 for one that may change"),
      days: wire.oneOf(keyDays, `A key is valid for ${keyDays.slice(0, -1).join(", ")} days, or 0: without end`),
    }),
    result: z.object({ apiKeyId: z.int(), apiKey: z.string() }),
  }),
  revoke: post("/api/key/revoke", {
    access: "keys.write",
    summary: "Ends an API key at once",
    body: z.object({ apiKeyId: wire.int() }),
    result: z.null(),
  }),
  holder: get("/api/key/holder", {
    access: "member",
    summary: "Who calls: account, plant and role of this API key or session",
    result: Holder,
  }),
};
