import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

export interface ReceivedMail {
  to: string[];
  /** Headers and both parts, with long lines rejoined. */
  text: string;
}

/** Starts a real mail server on loopback, which records its mails and ends with the test. */
export const anSmtpServer = async (options: Partial<SMTPServerOptions> = {}) => {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        // Quoted-printable breaks long lines.
        received.push({ to, text: Buffer.concat(chunks).toString().replaceAll("=\r\n", "") });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(stop);
  return { url: `smtp://127.0.0.1:${port}`, received, stop };
};
