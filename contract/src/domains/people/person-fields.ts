import { z } from "zod";
import { madeOnce } from "../../text/made-once.ts";

/** An e-mail address, trimmed; `message` is the form's own sentence for an invalid or missing one. */
export const emailField = madeOnce((message: string) =>
  z
    .string({ error: message })
    .trim()
    .max(254, { error: message })
    .pipe(z.email({ error: message })),
);

/** Minimum length of a password. (spec 2 §9) */
export const shortestPassword = 8;

/** Error for a new password on the list of common passwords; only the server has the list. */
export const commonPassword = "This password is common and easy to guess. Choose another one";

/** A new password, not trimmed; at most 1000 characters, so that hashing stays cheap. */
export const passwordField = madeOnce((message: string) =>
  z.string({ error: message }).min(shortestPassword, { error: message }).max(1000),
);

const passwordsDiffer = "Passwords do not match";

/** The repeated password; forms send it, other clients may omit it. */
export const repeatedPassword = z.string().max(1000, { error: passwordsDiffer }).optional();

/** Adds the check that field `second`, when given, equals field `first`. */
export const withRepeatedPassword = <T extends z.ZodObject>(
  body: T,
  first: keyof T["shape"],
  second: keyof T["shape"],
): T =>
  body.refine(
    (fields) => {
      const given = fields as Record<PropertyKey, unknown>;
      return given[second] === undefined || given[first] === given[second];
    },
    {
      error: passwordsDiffer,
      path: [second],
      // Runs even when other fields are invalid, so that all errors are shown together.
      when: ({ value }) => typeof value === "object" && value !== null,
    },
  ) as T;

const agree = "Please agree with Terms of Use and Privacy Policy";

/** The terms checkbox: forms send 1 when it is ticked and an empty text when it is not. */
export const termsField = z.literal("1", { error: agree }).optional();

/** The single-use secret of a link; `message` is the error for a truncated one. */
export const linkSecret = madeOnce((message: string) =>
  z.string({ error: message }).min(1, { error: message }).max(200, { error: message }),
);

/** The single-use secret of a mailed link. (decisions §5) */
export const secretField = linkSecret("The link is incomplete: open the complete link from the e-mail");

/** Whether a time zone of this name is known, such as `Europe/Budapest`. */
export const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format() !== "";
  } catch {
    return false;
  }
};

/** Time zone of a new plant's devices, taken from the browser. */
export const timeZoneField = z.string().max(64).refine(isTimeZone, { error: "Unknown time zone" }).default("UTC");

/** Digits of a mobile number; empty for none. (spec 2 §5) */
export const cellNumberField = z
  .string()
  .trim()
  .regex(/^(\d{10,11})?$/, { error: "Incorrect formatting of mobile phone number" });

const noCode = "Enter the code of your authenticator app";
/** Six digits of the app, or a recovery code of ten letters and digits; spaces and dashes are ignored. */
export const codeField = z
  .string({ error: noCode })
  .trim()
  .max(40, { error: noCode })
  .regex(/^(\d([\s-]*\d){5}|[a-z2-7]([\s-]*[a-z2-7]){9})$/i, { error: noCode });
