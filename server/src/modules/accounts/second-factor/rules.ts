import { Secret, TOTP } from "otpauth";

/** What every authenticator app can do: RFC 6238 with SHA-1, six digits, thirty seconds. */
const kind = { issuer: "Telltale", algorithm: "SHA1", digits: 6, period: 30 };

/** Steps before and after the present one that count too: a phone's clock may be half a minute wrong. */
const window = 1;

const totpOf = (secret: Uint8Array, label = ""): TOTP =>
  new TOTP({ ...kind, label, secret: new Secret({ buffer: new Uint8Array(secret).buffer }) });

/** The secret as an authenticator app takes it, typed or as the address in a QR code. */
export const enrolment = (secret: Uint8Array, email: string): { secret: string; uri: string } => {
  const totp = totpOf(secret, email);
  return { secret: totp.secret.base32, uri: totp.toString() };
};

/** The step that a code of six digits belongs to, counted from 1970; undefined when it is not right at this time, epoch milliseconds. */
export const stepOf = (secret: Uint8Array, code: string, now: number): number | undefined => {
  const totp = totpOf(secret);
  const distance = totp.validate({ token: code, timestamp: now, window });
  return distance === null ? undefined : totp.counter({ timestamp: now }) + distance;
};

/** A code as it is compared: people type it in groups, with dashes, in small letters. */
export const normalCode = (typed: string): string => typed.replace(/[\s-]/g, "").toUpperCase();

/** Whether a code, as it is compared, is one of the app; any other is a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** How many recovery codes there are, and the letters of each. */
export const recoveryCodeCount = 10;
export const recoveryCodeLength = 10;

/** A recovery code out of random bytes, five bits of each. */
export const recoveryCodeOf = (random: Uint8Array): string =>
  Array.from(random, (byte) => alphabet[byte % alphabet.length]).join("");

/** A recovery code as it is shown, to be copied by hand. */
export const shownCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;
