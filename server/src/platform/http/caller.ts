import type { Role } from "@telltale/contract/permissions";

/** The sender of a request, signed in or not. */
export interface Visitor {
  /** Client address, taken from trusted proxies' headers. */
  address: string;
  userAgent: string;
}

/** A signed-in user, with the account and plant of the session. */
export interface Caller extends Visitor {
  userId: number;
  accountId: number;
  plantId: number;
  roleType: Role;
  /** A read-only support view. */
  isAdmin: boolean;
  /** The dashboard assigned to a viewer; null means the plant's default. */
  dashboardId: number | null;
  /** The API key by which a program calls; absent for a session. */
  key?: { apiKeyId: number; name: string; isReadOnly: boolean };
  /** The token itself; returned only to its bearer, never logged. */
  token: string;
  /** SHA-256 of the token, hexadecimal, as in `sign_ins` or `api_keys`, and the bus event `signOut`. */
  tokenHash: string;
}
