import { MessageKind } from "@telltale/contract/domains/support";
import type { AlertFacts } from "./alert-facts.ts";
import { alertLetter, alertSms } from "./alert-letter.ts";
import { type Letter, linksOf, plainText } from "./letter.ts";

/** What lies in the outbox: a mail as it will be sent, an SMS' text, or an alert, which is put into words when it goes out. */
type MessageBody = Letter | { text: string } | { alert: AlertFacts };

interface Kept {
  recipient: string;
  /** A `MessageBody`; empty when the message was sent. */
  body: unknown;
}

/** The alert that a message of the outbox tells about, if it does. */
export const alertOf = ({ body }: Pick<Kept, "body">): AlertFacts | undefined => {
  const kept = body as MessageBody;
  return "alert" in kept ? kept.alert : undefined;
};

/** The alert without which a message is pointless once it is over; null of a message that goes out in any case. */
export const alertToBeOpen = (message: Pick<Kept, "body">): number | null => alertOf(message)?.onlyWhileOpen ?? null;

/** A mail of the outbox, in words. */
export const letterOf = (message: Kept, publicUrl: string): Letter => {
  const alert = alertOf(message);
  return alert ? alertLetter(alert, { publicUrl, recipient: message.recipient }) : (message.body as Letter);
};

/** An SMS of the outbox, in words. */
export const smsOf = (message: Kept, publicUrl: string): string => {
  const alert = alertOf(message);
  return alert ? alertSms(alert, { publicUrl }) : (message.body as { text: string }).text;
};

/** A message as people read it. */
interface Words {
  subject: string;
  text: string;
  links: string[];
}

const words: Readonly<Record<MessageKind, (message: Kept, publicUrl: string) => Words>> = {
  [MessageKind.mail]: (message, publicUrl) => {
    const letter = letterOf(message, publicUrl);
    return { subject: letter.subject, text: plainText(letter), links: linksOf(letter) };
  },
  [MessageKind.sms]: (message, publicUrl) => ({ subject: "", text: smsOf(message, publicUrl), links: [] }),
};

/** A message of the outbox as its recipient would read it. */
export const wordsOf = (message: Kept & { kind: MessageKind }, publicUrl: string): Words =>
  words[message.kind](message, publicUrl);
