import { z } from "zod";
import { wrongField } from "./validation-message.ts";

/**
 * What breaks a line, reorders the text around it, or shows nothing: control and format characters (direction marks, zero-width ones, the byte
 * order mark), line separators, private use, halves of pairs, and fillers.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/u;

const seen = "one line without control or invisible characters";

/** Adds to a text that it is one line of characters that can be seen: it goes into mails, SMS, files and titles. */
export const onOneLine = <T extends z.ZodType<string, string>>(field: T): T =>
  field.refine((text) => !unseen.test(text), { error: (issue) => wrongField(issue, seen) }) as T;

/** A schema's own sentence would be said of everything that its checks find as well. */
export const ifMissing = (sentence: string) => (issue: z.core.$ZodRawIssue) =>
  issue.code === "invalid_type" ? sentence : undefined;

/** A name that has to be given: one line, trimmed. */
export const namedField = (blank: string, max = 64) =>
  onOneLine(
    z
      .string({ error: ifMissing(blank) })
      .trim()
      .min(1, { error: blank })
      .max(max),
  );

/** What mail readers and phones make a link of: a scheme, an e-mail address, a domain. */
const link = /:\/\/|@|[\p{L}\p{N}-]\.\p{L}{2}/iu;

/** Dots that browsers take for one, and wide letters, are read as what they stand for. */
const holdsLink = (text: string): boolean => link.test(text.normalize("NFKC").replace(/[。｡]/g, "."));

const linkInName = "A name can't hold a web or e-mail address. Write a space after a dot";

/** A person's name: it is said to strangers in invitations, who must not take it for anything to click. */
export const personNameField = (blank: string) =>
  namedField(blank).refine((text) => !holdsLink(text), { error: linkInName });
