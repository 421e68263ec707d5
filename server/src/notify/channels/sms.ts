import type { ClientRequest, IncomingMessage } from "node:http";
import type { Database } from "../../platform/database/schema/schema.ts";
import { nodeHttp, nodeHttps } from "../../platform/node-http.ts";
import { alertLink } from "../letters/confirm-link.ts";
import { smsOf } from "../letters/message.ts";
import type { QueuedMessage } from "../outbox/queries.ts";
import type { FormattedMessage, NotificationChannel } from "./channel.ts";
import { SendingRefused } from "./send-refused.ts";

/** An account of the SMS provider. */
export interface SmsAccount {
  accountSid: string;
  authToken: string;
  /** Origin of the provider's REST API, such as `https://api.twilio.com`. */
  origin: string;
  /** The sender: a number with country code, a name, or a messaging service (MG…). */
  from: string;
}

/** Hosts reached without TLS: traffic to a local relay or test server does not leave the machine. */
const ownMachine = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A plus sign in a URL's query decodes to a blank; before a number it means the plus. */
const senderOf = (text: string): string => (/^[ +]?\d{5,15}$/.test(text) ? `+${text.replace(/\D/g, "")}` : text.trim());

/** Reads `twilio://ACCOUNT_SID:AUTH_TOKEN@host?from=+15551234567`; undefined when a part is missing. (decisions §6) */
export const smsAccountOf = (text: string): SmsAccount | undefined => {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, host, hostname, searchParams } = new URL(text);
  const from = senderOf(searchParams.get("from") ?? "");
  if (protocol !== "twilio:" || !username || !password || !host || !from) return undefined;
  const origin = `${ownMachine.has(hostname) ? "http" : "https"}://${host}`;
  return { accountSid: decodeURIComponent(username), authToken: decodeURIComponent(password), origin, from };
};

/** An SMS to be sent. */
export interface OutgoingSms {
  /** Digits with the country code. */
  recipient: string;
  text: string;
  /** Called when all but the last byte is sent: the provider can accept the SMS only after this resolves. */
  onHandOver: () => Promise<void>;
}

export interface SmsSender {
  /** Sends an SMS. Throws `SendingRefused` when the provider refuses it, any other error when the outcome is unknown or a retry is possible. */
  send(sms: OutgoingSms): Promise<void>;
}

/** Request timeout, milliseconds; less than the lease of a message. */
const longestWait = 20_000;
/** Most bytes of the provider's answer, which is a small JSON document; longer ones are ignored. */
const longestAnswer = 64 * 1024;
/** The provider's error code for a phone whose owner has replied STOP. */
const unsubscribed = 21_610;

const opened = ({ accountSid, authToken, origin }: SmsAccount, length: number, timeout: number): ClientRequest => {
  const send = origin.startsWith("https:") ? nodeHttps.request : nodeHttp.request;
  return send(`${origin}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, {
    method: "POST",
    auth: `${accountSid}:${authToken}`,
    headers: { "content-type": "application/x-www-form-urlencoded", "content-length": length },
    signal: AbortSignal.timeout(timeout),
    agent: false,
  });
};

/** Code and message of a refusal, as far as the answer has them. */
const reasonOf = async (answer: IncomingMessage): Promise<{ code?: number; message?: string }> => {
  let text = "";
  try {
    for await (const part of answer.setEncoding("utf8")) {
      text += part;
      if (text.length > longestAnswer) return {};
    }
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

/** Status codes for which the SMS was not accepted and a retry is possible. After any other 5xx the outcome is unknown. */
const later = new Set([429, 503]);

const throwUnlessAccepted = async (answer: IncomingMessage): Promise<void> => {
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return;
  const { code, message } = await reasonOf(answer);
  const what = `The SMS provider answered ${status}${code ? `, ${code}` : ""}${message ? `: ${message}` : ""}`;
  if (later.has(status)) throw new SendingRefused(what, { isFinal: false });
  if (status >= 500) throw new Error(what);
  throw new SendingRefused(what, { isFinal: true, isUnwanted: code === unsubscribed });
};

const fieldsOf = ({ from }: SmsAccount, { recipient, text }: OutgoingSms): Buffer => {
  const sender = /^MG[0-9a-f]{32}$/i.test(from) ? "MessagingServiceSid" : "From";
  return Buffer.from(new URLSearchParams({ To: `+${recipient}`, Body: text, [sender]: from }).toString());
};

/**
 * Creates a sender that uses Twilio's REST API. Holds back the body's last byte until `onHandOver` resolves. `timeout` is the request timeout in
 * milliseconds. (docs/decisions/0018)
 */
export const createSmsSender = (account: SmsAccount, timeout = longestWait): SmsSender => ({
  send: async (sms) => {
    const body = fieldsOf(account, sms);
    const request = opened(account, body.length, timeout);
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      request.once("response", resolve).once("error", reject),
    );
    // Awaited below; until then a rejection must not count as unhandled.
    answered.catch(() => undefined);
    request.on("error", () => undefined);
    try {
      const written = new Promise<void>((resolve, reject) =>
        request.write(body.subarray(0, -1), (fault) => (fault ? reject(fault) : resolve())),
      );
      // An answer before the body is complete is a refusal that did not look at the SMS.
      const early = await Promise.race([written, answered]);
      if (!early) {
        await sms.onHandOver();
        request.end(body.subarray(-1));
      }
      await throwUnlessAccepted(await answered);
    } finally {
      request.destroy();
    }
  },
});

/** Charges SMS credit for alerts sent by SMS. */
export interface SmsCharging {
  /**
   * Whether the SMS may be sent: it is paid for, now or by an earlier try, or costs nothing. Without credit the message is settled and owners and
   * admins get the alert by mail instead.
   */
  take(message: QueuedMessage): Promise<boolean>;
  /** Refunds an SMS that certainly was not sent. Call in the transaction that records it. */
  giveBack(db: Database, message: QueuedMessage): Promise<void>;
}

interface SmsChannelNeeds {
  db: Database;
  /** Absent: SMS are kept unsent. */
  sms?: SmsSender | undefined;
  /** Absent: SMS cost nothing. */
  charging?: SmsCharging | undefined;
  /** Called when the owner of a phone has unsubscribed. */
  onUnwanted?: ((recipient: string) => Promise<void>) | undefined;
}

/** The text, with the recipient's own link where it is about an alert. */
const textOf = async (db: Database, message: QueuedMessage, publicUrl: string): Promise<string> =>
  smsOf(message, { publicUrl, link: await alertLink(db, message, publicUrl) });

/** Formats an SMS of the outbox as its recipient reads it. */
export const formatSms = async (
  db: Database,
  message: QueuedMessage,
  publicUrl: string,
): Promise<FormattedMessage> => ({
  subject: "",
  text: await textOf(db, message, publicUrl),
  links: [],
});

/** The SMS channel, charged by `charging`. */
export const smsChannel = (
  { db, sms, charging, onUnwanted }: SmsChannelNeeds,
  publicUrl: string,
): NotificationChannel => ({
  send:
    sms &&
    (async (message, onHandOver) =>
      sms.send({ recipient: message.recipient, text: await textOf(db, message, publicUrl), onHandOver })),
  ...(charging ? { admit: charging.take, giveBack: charging.giveBack } : {}),
  ...(onUnwanted ? { onUnwanted } : {}),
});
