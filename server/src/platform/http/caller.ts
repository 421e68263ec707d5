import type { Role } from "@telltale/contract/permissions";

/** Whoever sent a request, signed in or not. */
export interface Visitor {
  /** Network address, as far as the proxies in front are trusted. */
  address: string;
  userAgent: string;
}

/** Who is signed in, as which account of which plant. */
export interface Caller extends Visitor {
  userId: number;
  accountId: number;
  plantId: number;
  roleType: Role;
  /** A read-only support view. */
  isAdmin: boolean;
  /** The dashboard assigned to a viewer; null means the plant's default. */
  dashboardId: number | null;
  /** The token itself; goes back to its bearer only, never into a log. */
  token: string;
  /** SHA-256 of the token, hexadecimal, as `sign_ins` and the bus's `signOut` know it. */
  tokenHash: string;
}
