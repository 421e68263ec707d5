import { Secret, TOTP } from "otpauth";

/** TOTP parameters that every authenticator app supports: RFC 6238 with SHA-1, six digits, thirty seconds. */
const kind = { issuer: "Telltale", algorithm: "SHA1", digits: 6, period: 30 };

/** Time steps accepted before and after the current one: a phone's clock may be off by half a minute. */
const window = 1;

const totpOf = (secret: Uint8Array, label = ""): TOTP =>
  new TOTP({ ...kind, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) });

/** The secret for an authenticator app, as text and as the URI for a QR code. */
export const enrolment = (secret: Uint8Array, email: string): { secret: string; uri: string } => {
  const totp = totpOf(secret, email);
  return { secret: totp.secret.base32, uri: totp.toString() };
};

/** The time step of a six-digit code, counted from 1970; undefined when it is not valid at this time (epoch milliseconds). */
export const stepOf = (secret: Uint8Array, code: string, now: number): number | undefined => {
  const totp = totpOf(secret);
  const distance = totp.validate({ token: code, timestamp: now, window });
  return distance === null ? undefined : totp.counter({ timestamp: now }) + distance;
};

/** Normalises a code for comparison: users type it in groups, with dashes, in lower case. */
export const normalCode = (typed: string): string => typed.replace(/[\s-]/g, "").toUpperCase();

/** Whether a normalised code is one of the app; any other is a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Number of recovery codes, and the characters of each. */
export const recoveryCodeCount = 10;
export const recoveryCodeLength = 10;

/** A recovery code from random bytes, five bits of each. */
export const recoveryCodeOf = (random: Uint8Array): string =>
  Array.from(random, (byte) => alphabet[byte % alphabet.length]).join("");

/** A recovery code formatted for display. */
export const shownCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;
