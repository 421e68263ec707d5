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
