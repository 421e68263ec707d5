import { createHash, randomBytes } from "node:crypto";

/** A secret to hand out once: 32 random bytes as 43 characters that need no escaping in an address. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** What is kept of it. Plain SHA-256 is enough for a random secret, which nobody can guess from a list. */
export const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();
