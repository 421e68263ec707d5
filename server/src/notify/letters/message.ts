import type { AlertFacts } from "./alert-facts.ts";
import { type Addressed, alertLetter, alertSms } from "./alert-letter.ts";
import { type DigestFacts, digestLetter, digestSms } from "./digest-letter.ts";
import type { Letter } from "./letter.ts";

/** Body of a message in the outbox: a finished mail, an SMS text, or one or several alerts that are formatted when they are sent. */
type MessageBody = Letter | { text: string } | { alert: AlertFacts } | { digest: DigestFacts };

/** A message of the outbox, as far as its text goes. */
export interface OutboxMessage {
  recipient: string;
  /** A `MessageBody`; empty after the message was sent. */
  body: unknown;
}

/** The alert of a message; undefined for other messages. */
export const alertOf = ({ body }: Pick<OutboxMessage, "body">): AlertFacts | undefined => {
  const kept = body as MessageBody;
  return "alert" in kept ? kept.alert : undefined;
};

/** The alerts of a summary; undefined for other messages. */
export const digestOf = ({ body }: Pick<OutboxMessage, "body">): DigestFacts | undefined => {
  const kept = body as MessageBody;
  return "digest" in kept ? kept.digest : undefined;
};

/** Id of the alert that must still be open for the message to be sent; null when it is sent in any case. */
export const requiredOpenAlert = (message: Pick<OutboxMessage, "body">): number | null =>
  alertOf(message)?.onlyWhileOpen ?? null;

/** The mail of a message about one or several alerts; undefined for other messages. */
export const alertLetterOf = (message: OutboxMessage, to: Addressed): Letter | undefined => {
  const [alert, digest] = [alertOf(message), digestOf(message)];
  if (digest) return digestLetter(digest, to);
  return alert && alertLetter(alert, to);
};

/** Addresses in a message's text. */
type Links = Pick<Addressed, "publicUrl" | "link">;

/** Formats a mail of the outbox. */
export const letterOf = (message: OutboxMessage, links: Links): Letter =>
  alertLetterOf(message, { ...links, recipient: message.recipient }) ?? (message.body as Letter);

/** Formats an SMS of the outbox. */
export const smsOf = (message: OutboxMessage, links: Links): string => {
  const [alert, digest] = [alertOf(message), digestOf(message)];
  if (digest) return digestSms(digest, links);
  return alert ? alertSms(alert, links) : (message.body as { text: string }).text;
};
