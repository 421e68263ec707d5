import { z } from "zod";

/** An e-mail address, trimmed; the message is what the form at hand says of a wrong or missing one. */
export const emailField = (message: string) =>
  z
    .string({ error: message })
    .trim()
    .max(254, { error: message })
    .pipe(z.email({ error: message }));

/** Fewest characters of a password. (spec 2 §9) */
export const shortestPassword = 8;

/** Said on the field of a new password that many people use; only the server has the list. */
export const commonPassword =
  "Many people use this password, so it is among the first to be guessed. Choose another one";

/** A new password, as it was typed; at most 1000 characters, so that hashing it stays cheap. */
export const passwordField = (message: string) =>
  z.string({ error: message }).min(shortestPassword, { error: message }).max(1000);

const passwordsDiffer = "Passwords do not match";

/** What is typed a second time has to be the same; forms send it, other clients may leave it out. */
export const repeated = z.string().max(1000, { error: passwordsDiffer }).optional();

/** Adds to a body that field `second`, where it is given, repeats field `first`. */
export const repeats = <T extends z.ZodObject>(body: T, first: keyof T["shape"], second: keyof T["shape"]): T =>
  body.refine(
    (fields) => {
      const given = fields as Record<PropertyKey, unknown>;
      return given[second] === undefined || given[first] === given[second];
    },
    {
      error: passwordsDiffer,
      path: [second],
      // Said together with what is wrong with the other fields, not after they are right.
      when: ({ value }) => typeof value === "object" && value !== null,
    },
  ) as T;

const agree = "Please agree with Terms of Use and Privacy Policy";

/** The terms box: forms send 1 when it is ticked and nothing in it when not. */
export const termsField = z.literal("1", { error: agree }).optional();

/** The single-use secret of a link; the message is what is said of one that was cut off. */
export const linkSecret = (message: string) =>
  z.string({ error: message }).min(1, { error: message }).max(200, { error: message });

/** The single-use secret of a mailed link. (decisions §5) */
export const secretField = linkSecret("The link is incomplete: open it as it stands in the mail");

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format() !== "";
  } catch {
    return false;
  }
};

/** The zone in which a new plant's devices keep their days; the browser knows it. */
export const timeZoneField = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: "The time zone is not known" })
  .default("UTC");

/** Digits of a mobile number; empty is none. (spec 2 §5) */
export const cellNumberField = z
  .string()
  .trim()
  .regex(/^(\d{10,11})?$/, { error: "Incorrect formatting of mobile phone number" });
