import { z } from "zod";
import { madeOnce } from "./made-once.ts";
import { fieldTypeError } from "./validation-message.ts";

/**
 * Characters that break a line, reorder the surrounding text, or are invisible: control and format characters (direction marks, zero-width ones,
 * the byte order mark), line separators, private use, lone surrogates, and fillers.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/u;

const seen = "one line without control or invisible characters";

/** Restricts a text field to one line of visible characters, because it goes into mails, SMS, files and titles. */
export const onOneLine = <T extends z.ZodType<string, string>>(field: T): T =>
  field.refine((text) => !unseen.test(text), { error: (issue) => fieldTypeError(issue, seen) }) as T;

/** Applies a message to a missing value only; a schema's plain `error` would replace the messages of its checks as well. */
export const ifMissing = (sentence: string) => (issue: z.core.$ZodRawIssue) =>
  issue.code === "invalid_type" ? sentence : undefined;

/** A required name: one line, trimmed; `blank` is the error for an empty one. */
export const namedField = madeOnce((blank: string, max: number = 64) =>
  onOneLine(
    z
      .string({ error: ifMissing(blank) })
      .trim()
      .min(1, { error: blank })
      .max(max),
  ),
);

/** What mail clients and phones turn into a link: a scheme, an e-mail address, a domain. */
const link = /:\/\/|@|[\p{L}\p{N}-]\.\p{L}{2}/iu;

/** Ideographic dots and full-width letters are normalised first, because browsers treat them like ASCII. */
const holdsLink = (text: string): boolean => link.test(text.normalize("NFKC").replace(/[。｡]/g, "."));

const linkInName = "A name can't hold a web or e-mail address. Write a space after a dot";

/** A person's name. It appears in invitations to strangers, so it must not contain anything that turns into a link. */
export const personNameField = madeOnce((blank: string) =>
  namedField(blank).refine((text) => !holdsLink(text), { error: linkInName }),
);

/** A device ID as typed by a user. */
export const deviceIdField = madeOnce((blank: string = "Device ID cannot be blank") =>
  z.string({ error: blank }).trim().min(1, { error: blank }).max(64, { error: "Device ID has at most 64 characters" }),
);
