import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** PostgreSQL's own default. The passwords are random, so more would only make each connection slower. */
const iterations = 4_096;

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/**
 * PostgreSQL's form of an ASCII password for SCRAM-SHA-256 (RFC 5803), from which the password cannot be computed. Made here, so that the password is in
 * no statement, and therefore in no log, of PostgreSQL.
 */
export const scramVerifier = (password: string): string => {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const stored = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${serverKey}`;
};
