import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const longestWait = 20_000;

/** The provider's answer for a phone whose owner has replied STOP. */
const unsubscribed = { status: 400, body: { code: 21610, message: "Attempt to send to unsubscribed recipient" } };
const taken = { status: 201, body: { sid: "SM1" } };

/** Simulates the SMS provider on loopback. */
export interface SmsServer {
  /** For SMS_URL. */
  url: string;
  /** Resolves with the next unread SMS to this number; waits at most `longest` milliseconds. */
  next(phone: string, longest?: number): Promise<string>;
  /** Number of unread SMS to this number. */
  unread(phone: string): number;
  /** From now on the phone's owner has replied STOP. */
  stopSmsTo(phone: string): void;
  stop(): Promise<void>;
}

/** Starts a provider that accepts everything, except for stopped phones, and exposes it. */
export const startSmsServer = async (): Promise<SmsServer> => {
  const unread: { phone: string; text: string }[] = [];
  const stopped = new Set<string>();
  const server = createServer(async (request, response) => {
    const fields = new URLSearchParams((await request.setEncoding("utf8").toArray()).join(""));
    const phone = (fields.get("To") ?? "").replace("+", "");
    const { status, body } = stopped.has(phone) ? unsubscribed : taken;
    if (status === taken.status) unread.push({ phone, text: fields.get("Body") ?? "" });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `twilio://AC123:token@127.0.0.1:${port}?from=+15550100`,
    next: async (phone, longest = longestWait) => {
      const patience = AbortSignal.timeout(longest);
      while (!patience.aborted) {
        const at = unread.findIndex((sms) => sms.phone === phone);
        const [sms] = at < 0 ? [] : unread.splice(at, 1);
        if (sms) return sms.text;
        await sleep(50);
      }
      throw new Error(`No SMS came to ${phone}`);
    },
    unread: (phone) => unread.filter((sms) => sms.phone === phone).length,
    stopSmsTo: (phone) => void stopped.add(phone),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
