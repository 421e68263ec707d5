import type { AlertFacts } from "./alert-facts.ts";
import { alertLetter, alertSms } from "./alert-letter.ts";
import type { Letter } from "./letter.ts";

/** Body of a message in the outbox: a finished mail, an SMS text, or an alert that is formatted when it is sent. */
type MessageBody = Letter | { text: string } | { alert: AlertFacts };

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

/** Id of the alert that must still be open for the message to be sent; null when it is sent in any case. */
export const requiredOpenAlert = (message: Pick<OutboxMessage, "body">): number | null =>
  alertOf(message)?.onlyWhileOpen ?? null;

/** Formats a mail of the outbox. */
export const letterOf = (message: OutboxMessage, publicUrl: string): Letter => {
  const alert = alertOf(message);
  return alert ? alertLetter(alert, { publicUrl, recipient: message.recipient }) : (message.body as Letter);
};

/** Formats an SMS of the outbox. */
export const smsOf = (message: OutboxMessage, publicUrl: string): string => {
  const alert = alertOf(message);
  return alert ? alertSms(alert, { publicUrl }) : (message.body as { text: string }).text;
};
