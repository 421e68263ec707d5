import { createECDH } from "node:crypto";
import type { Database } from "../../platform/database/schema/schema.ts";
import { sharedSecret } from "../../platform/database/shared-secret.ts";

/** Hosts of the browsers' push services: of Chrome and its relatives, Firefox, Edge on Windows, and Safari. */
const known = [
  /^fcm\.googleapis\.com$/,
  /^updates\.push\.services\.mozilla\.com$/,
  /^([a-z0-9-]+\.)+notify\.windows\.com$/,
  /^web\.push\.apple\.com$/,
];

/** Whose push service an address belongs to: one of the browsers' makers, or one that the operator has named; undefined for any other address. */
export const pushServiceOf = (url: URL, named: readonly string[]): "known" | "named" | undefined => {
  if (named.some((each) => new URL(each).origin === url.origin)) return "named";
  const isPlain = url.protocol === "https:" && url.port === "" && url.username === "" && url.password === "";
  return isPlain && known.some((host) => host.test(url.hostname)) ? "known" : undefined;
};

/** The keys by which push services know this server (VAPID, RFC 8292), as base64url. All nodes share them; browsers subscribe with the public one. */
export const vapidKeys = async (db: Database): Promise<{ publicKey: string; privateKey: string }> => {
  const secret = await sharedSecret(db, "push");
  const pair = createECDH("prime256v1");
  // Any 32 random bytes are a key of this curve, but for one in four billion, which it refuses.
  pair.setPrivateKey(secret);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: secret.toString("base64url") };
};
