import { Transform } from "node:stream";
import { asError, fieldOf } from "../../platform/fault.ts";
import { html, type Letter, plainText } from "../letters/letter.ts";
import { letterOf } from "../letters/message.ts";
import { subjectOf } from "../outbox/outbox.ts";
import type { NotificationChannel } from "./channel.ts";
import { SendingRefused } from "./send-refused.ts";

/** A mail on its way out. */
export interface OutgoingMail {
  recipient: string;
  subject: string;
  letter: Letter;
  /** Stays the same from try to try, so that a receiver can tell a repetition. */
  messageId: string;
  /** Called when all but its end has left: the receiver takes the mail only after this is done. */
  onHandOver: () => Promise<void>;
}

export interface MailSender {
  /** Sends a mail; throws `SendingRefused` when the mail server does not want it, another fault when it may be tried again. */
  send(mail: OutgoingMail): Promise<void>;
}

/** Milliseconds: together less than the time for which a message is taken. */
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

/** Lets the message pass and holds its end back until `onHandOver` is done. */
const held = (onHandOver: () => Promise<void>): Transform =>
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

/** Sends by the SMTP server at `url`, as `from`. */
export const createMailSender = (url: string, from: string): MailSender => ({
  send: async ({ recipient, subject, letter, messageId, onHandOver }) => {
    // Loaded at the first mail: a server that sends none does without it.
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({ url, ...limits, disableFileAccess: true, disableUrlAccess: true });
    transport.use("stream", (mail, done) => {
      mail.message?.transform(() => held(onHandOver));
      done(null);
    });
    // An address is given as one, not as a header's text, in which a comma would make two of it.
    const to = { name: "", address: recipient };
    const leave = letter.leave && { "list-unsubscribe": `<${letter.leave.url}>` };
    const headers = { "auto-submitted": "auto-generated", ...leave };
    const content = { subject, text: plainText(letter), html: html(letter), messageId, headers };
    await transport.sendMail({ from, to, ...content }).catch((fault: unknown) => {
      throw asRefusal(fault);
    });
  },
});

/** Mail through the sender; without one it is kept. */
export const mailChannel = (sender: MailSender | undefined, publicUrl: string): NotificationChannel => ({
  name: "mail",
  send:
    sender &&
    ((message, onHandOver) => {
      const { message_id: id, recipient, created_time } = message;
      const letter = letterOf(message, publicUrl);
      const messageId = `<outbox-${id}-${created_time.getTime()}@telltale>`;
      return sender.send({ recipient, subject: subjectOf(letter), letter, messageId, onHandOver });
    }),
});
