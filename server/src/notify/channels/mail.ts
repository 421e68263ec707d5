import { Transform } from "node:stream";
import type { Database } from "../../platform/database/schema/schema.ts";
import { asError, fieldOf } from "../../platform/fault.ts";
import { alertLink } from "../letters/confirm-link.ts";
import { html, type Letter, linksOf, plainText } from "../letters/letter.ts";
import { letterOf } from "../letters/message.ts";
import { subjectOf } from "../outbox/outbox.ts";
import type { QueuedMessage } from "../outbox/queries.ts";
import type { FormattedMessage, NotificationChannel } from "./channel.ts";
import { SendingRefused } from "./send-refused.ts";

/** A mail to be sent. */
export interface OutgoingMail {
  recipient: string;
  subject: string;
  letter: Letter;
  /** The same for each retry, so that a receiver can detect duplicates. */
  messageId: string;
  /** Called when all but the end of the mail is sent: the receiver accepts the mail only after this resolves. */
  onHandOver: () => Promise<void>;
}

export interface MailSender {
  /** Sends a mail. Throws `SendingRefused` when the mail server refuses it, any other error when a retry is possible. */
  send(mail: OutgoingMail): Promise<void>;
}

/** Milliseconds; their sum is less than the lease of a message. */
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

/** Passes data through and delays its end until `onHandOver` resolves. */
const holdBackEnd = (onHandOver: () => Promise<void>): Transform =>
  new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => {
      onHandOver().then(() => done(), done);
    },
  });

const asRefusal = (fault: unknown): unknown => {
  const responseCode = fieldOf(fault, "responseCode");
  return typeof responseCode === "number"
    ? new SendingRefused(asError(fault).message, { isFinal: responseCode >= 500 })
    : fault;
};

/** Creates a sender that uses the SMTP server at `url`, with `from` as sender. */
export const createMailSender = (url: string, from: string): MailSender => ({
  send: async ({ recipient, subject, letter, messageId, onHandOver }) => {
    // Loaded with the first mail; not needed by servers that send none.
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({ url, ...limits, disableFileAccess: true, disableUrlAccess: true });
    transport.use("stream", (mail, done) => {
      mail.message?.transform(() => holdBackEnd(onHandOver));
      done(null);
    });
    // Passed as an object and not as header text, in which a comma would split the address.
    const to = { name: "", address: recipient };
    const leave = letter.leave && { "list-unsubscribe": `<${letter.leave.url}>` };
    const headers = { "auto-submitted": "auto-generated", ...leave };
    const attachments = [letter.attachment].flatMap((file) =>
      file ? [{ filename: file.name, contentType: file.type, content: Buffer.from(file.base64, "base64") }] : [],
    );
    const content = { attachments, subject, text: plainText(letter), html: html(letter), messageId, headers };
    await transport.sendMail({ from, to, ...content }).catch((fault: unknown) => {
      throw asRefusal(fault);
    });
  },
});

/** Formats a mail of the outbox as its recipient reads it. */
export const formatMail = async (
  db: Database,
  message: QueuedMessage,
  publicUrl: string,
): Promise<FormattedMessage> => {
  const letter = letterOf(message, { publicUrl, link: await alertLink(db, message, publicUrl) });
  return { subject: letter.subject, text: plainText(letter), links: linksOf(letter) };
};

/** The mail channel; without a sender mail is kept unsent. */
export const mailChannel = (
  { db, mail }: { db: Database; mail?: MailSender | undefined },
  publicUrl: string,
): NotificationChannel => ({
  send:
    mail &&
    (async (message, onHandOver) => {
      const { message_id: id, recipient, created_time } = message;
      const letter = letterOf(message, { publicUrl, link: await alertLink(db, message, publicUrl) });
      const messageId = `<outbox-${id}-${created_time.getTime()}@telltale>`;
      return mail.send({ recipient, subject: subjectOf(letter), letter, messageId, onHandOver });
    }),
});
