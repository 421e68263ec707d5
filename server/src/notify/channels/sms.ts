import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { Database } from "../../platform/database/schema/schema.ts";
import { smsOf } from "../letters/message.ts";
import type { QueuedMessage } from "../outbox/queries.ts";
import type { NotificationChannel } from "./channel.ts";
import { SendingRefused } from "./send-refused.ts";

/** Whose SMS account messages are sent by, and where it is. */
export interface SmsAccount {
  accountSid: string;
  authToken: string;
  /** Where the provider's REST API is, such as `https://api.twilio.com`. */
  origin: string;
  /** What the SMS come from: a number with its country code, a name, or a messaging service (MG…). */
  from: string;
}

/** Nobody outside of this machine reads what goes there, so that it needs no certificate: a relay, or a stand-in. */
const ownMachine = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** A plus sign means a blank in an address's query; whoever writes a number there means the plus. */
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

/** An SMS on its way out. */
export interface OutgoingSms {
  /** Digits with the country code. */
  recipient: string;
  text: string;
  /** Called when all but its end has left: the provider can take the SMS only after this is done. */
  onHandOver: () => Promise<void>;
}

export interface SmsSender {
  /** Sends an SMS; throws `SendingRefused` when the provider does not want it, another fault when nobody knows or it may be tried again. */
  send(sms: OutgoingSms): Promise<void>;
}

/** Milliseconds: less than the time for which a message is taken. */
const longestWait = 20_000;
/** The provider's answer is a small JSON; what is longer is none of ours. */
const longestAnswer = 64 * 1024;
/** The provider's code for a phone whose owner has replied STOP. */
const unsubscribed = 21_610;

const opened = ({ accountSid, authToken, origin }: SmsAccount, length: number, patience: number): ClientRequest => {
  const send = origin.startsWith("https:") ? tlsRequest : plainRequest;
  return send(`${origin}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, {
    method: "POST",
    auth: `${accountSid}:${authToken}`,
    headers: { "content-type": "application/x-www-form-urlencoded", "content-length": length },
    signal: AbortSignal.timeout(patience),
    agent: false,
  });
};

/** What the provider says of a refusal, as far as it says it. */
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

/** Answers that say that the SMS was not taken and may be later. After any other 5xx nobody knows. */
const later = new Set([429, 503]);

const evaluate = async (answer: IncomingMessage): Promise<void> => {
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

/** Sends by Twilio's REST API. The body's last byte is held back until `onHandOver` is done. `patience` in milliseconds. (docs/decisions/0018) */
export const createSmsSender = (account: SmsAccount, patience = longestWait): SmsSender => ({
  send: async (sms) => {
    const body = fieldsOf(account, sms);
    const request = opened(account, body.length, patience);
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      request.once("response", resolve).once("error", reject),
    );
    // Waited for below. Until then, and after it, a fault of the connection must not count as one that nobody handles.
    answered.catch(() => undefined);
    request.on("error", () => undefined);
    try {
      const written = new Promise<void>((resolve, reject) =>
        request.write(body.subarray(0, -1), (fault) => (fault ? reject(fault) : resolve())),
      );
      // An answer before the end is a refusal without a look at the SMS.
      const early = await Promise.race([written, answered]);
      if (!early) {
        await sms.onHandOver();
        request.end(body.subarray(-1));
      }
      await evaluate(await answered);
    } finally {
      request.destroy();
    }
  },
});

/** Takes SMS credit for alerts that go out by SMS. */
export interface SmsCharging {
  /**
   * Whether the SMS may go out: it is paid for, now or at an earlier try, or costs nothing. When there is no credit the message is
   * settled: owners and admins are told of the alert by mail instead.
   */
  take(message: QueuedMessage): Promise<boolean>;
  /** Gives back what an SMS cost that certainly did not go out. Call it in the transaction that says so. */
  giveBack(db: Database, message: QueuedMessage): Promise<void>;
}

interface SmsChannelNeeds {
  /** Without one, SMS are kept. */
  sms?: SmsSender | undefined;
  /** Without it, SMS cost nothing. */
  charging?: SmsCharging | undefined;
  /** The owner of a phone wants no SMS of ours any more. */
  onUnwanted?: ((recipient: string) => Promise<void>) | undefined;
}

/** SMS through the sender, paid for by `charging`. */
export const smsChannel = ({ sms, charging, onUnwanted }: SmsChannelNeeds, publicUrl: string): NotificationChannel => ({
  name: "SMS",
  send:
    sms &&
    ((message, onHandOver) => sms.send({ recipient: message.recipient, text: smsOf(message, publicUrl), onHandOver })),
  ...(charging ? { admit: charging.take, giveBack: charging.giveBack } : {}),
  ...(onUnwanted ? { onUnwanted } : {}),
});
