import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

const longestWait = 20_000;

/** A mail as received, with its text decoded. */
export interface ReceivedMail {
  /** Its Message-ID, which is the same when it is resent. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The links in its text, in order. */
  links: string[];
}

/** A real mail server on loopback. */
export interface MailServer {
  /** For MAIL_URL. */
  url: string;
  /** Resolves with the next unread mail to this address; waits at most `longest` milliseconds. */
  next(email: string, longest?: number): Promise<ReceivedMail>;
  /** Number of unread mails to this address. */
  unread(email: string): number;
  stop(): Promise<void>;
}

const decoded = (quotedPrintable: string): string => {
  const bytes = quotedPrintable
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
};

/** The plain text part of a multipart/alternative mail. */
const plainPart = (raw: string): string => {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? "";
  const part = raw.split(`--${boundary}`).find((each) => /content-type: text\/plain/i.test(each)) ?? raw;
  const body = part.slice(part.indexOf("\r\n\r\n") + 4);
  return /content-transfer-encoding: quoted-printable/i.test(part) ? decoded(body) : body;
};

const mailOf = (raw: string, to: string): ReceivedMail => {
  const text = plainPart(raw);
  const subject = /^Subject: (.*)\r$/m.exec(raw)?.[1] ?? "";
  const id = /^Message-ID: (.*)\r$/im.exec(raw)?.[1] ?? "";
  return { id, to, subject, text, links: text.match(/https?:\/\/\S+/g) ?? [] };
};

/** Starts a mail server that accepts everything and exposes it. */
export const startMailServer = async (): Promise<MailServer> => {
  const unread: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString();
        for (const { address } of session.envelope.rcptTo) unread.push(mailOf(raw, address));
        done();
      });
    },
  });
  // A server under test that is killed while it sends resets its connection.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const isTo = (email: string) => (mail: ReceivedMail) => mail.to === email;
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: async (email, longest = longestWait) => {
      const patience = AbortSignal.timeout(longest);
      while (!patience.aborted) {
        const at = unread.findIndex(isTo(email));
        const [mail] = at < 0 ? [] : unread.splice(at, 1);
        if (mail) return mail;
        await sleep(50);
      }
      throw new Error(`No mail came to ${email}`);
    },
    unread: (email) => unread.filter(isTo(email)).length,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
