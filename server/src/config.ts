import { resolve } from "node:path";
import { monthsKeptRange } from "@telltale/contract/domains/readings/storage";
import { z } from "zod";
import { signOnProblem, signOnVariables } from "./modules/accounts/single-sign-on/settings.rules.ts";
import type { PaypalAccount } from "./modules/billing/index.ts";
import type { OperatorContacts } from "./modules/support/index.ts";
import { smsAccountOf } from "./notify/index.ts";

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((value) => value <= 65_535);

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol));

/** Addresses separated by commas. */
const addresses = (...protocols: string[]) =>
  z
    .string()
    .transform((text) => text.split(",").map((address) => address.trim()))
    .refine((all) => all.every((address) => url(...protocols).safeParse(address).success));

/** Whether each "%" in the user and password of an address begins a code of UTF-8, such as %40 for "@". */
const isDecodable = (address: string): boolean => {
  const { username, password } = URL.canParse(address) ? new URL(address) : { username: "", password: "" };
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
};

/** A "%" that begins no code. The drivers of PostgreSQL and SMTP take it as it is written. */
const loosePercent = /%(?![\da-f]{2})/i;

/** Whether user and password can be read, of the variables that have any and whose readers fail otherwise. */
const areReadable: Partial<Record<string, (text: string) => boolean>> = {
  DATABASE_URL: (text) => loosePercent.test(text) || isDecodable(text),
  NATS_URL: (text) => text.split(",").every((address) => isDecodable(address.trim())),
  SMS_URL: isDecodable,
};

const levels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Every environment variable: its parser, and what it must be, as the error message says it. */
const variables = {
  PORT: { is: "a port from 0 to 65535", schema: port.default(8080) },
  HOST: { is: "an address to listen on", schema: z.string().default("0.0.0.0") },
  MQTT_PORT: { is: "a port from 0 to 65535", schema: port.default(1883) },
  MQTT_TLS_PORT: { is: "a port from 0 to 65535", schema: port.default(8883) },
  MQTT_HOST: { is: "an address to listen on", schema: z.string().default("0.0.0.0") },
  TLS_CERT: { is: "the file of a PEM certificate; give TLS_KEY too", schema: z.string().optional() },
  TLS_KEY: { is: "the file of the certificate's PEM key; give TLS_CERT too", schema: z.string().optional() },
  SQL_PORT: { is: "a port from 0 to 65535, for SQL users", schema: port.optional() },
  SQL_HOST: { is: "an address to listen on", schema: z.string().default("127.0.0.1") },
  DATA_DIR: { is: "a directory", schema: z.string().optional() },
  DATABASE_URL: {
    is: "an address such as postgres://user:password@host/database",
    schema: url("postgres:", "postgresql:").optional(),
  },
  NATS_URL: {
    is: "one or several addresses such as nats://host:4222,nats://other:4222",
    schema: addresses("nats:", "tls:").optional(),
  },
  PUBLIC_URL: { is: "an address such as https://telltale.example", schema: url("http:", "https:").optional() },
  MAIL_URL: { is: "an address such as smtp://user:password@host", schema: url("smtp:", "smtps:").optional() },
  MAIL_FROM: {
    is: "the address that mail comes from, such as alerts@telltale.example",
    schema: z.email().optional(),
  },
  SMS_URL: {
    is: "an address such as twilio://ACCOUNT_SID:AUTH_TOKEN@api.twilio.com?from=+15551234567",
    schema: z
      .string()
      .refine((text) => smsAccountOf(text) !== undefined)
      .optional(),
  },
  PAYPAL_URL: { is: "an address such as https://api-m.paypal.com", schema: url("http:", "https:").optional() },
  PAYPAL_CLIENT_ID: { is: "a text", schema: z.string().optional() },
  PAYPAL_SECRET: { is: "a text", schema: z.string().optional() },
  PAYPAL_WEBHOOK_ID: { is: "the id of the webhook that PayPal calls", schema: z.string().optional() },
  PAYMENTS: {
    is: "sandbox, which gives away what is bought, or nothing",
    schema: z.literal("sandbox").optional(),
  },
  MOBILE_SITE_URL: { is: "an address such as https://m.telltale.example", schema: url("http:", "https:").optional() },
  SUPPORT_PHONE: {
    is: "a phone number such as +1 555 123 4567",
    schema: z
      .string()
      .regex(/^\+?[\d ().-]{5,30}$/)
      .optional(),
  },
  SUPPORT_EMAIL: { is: "an address such as support@telltale.example", schema: z.email().optional() },
  SUPPORT_HOURS: {
    is: "at most 200 characters, such as Mon to Fri, 8 to 17, UTC",
    schema: z.string().max(200).optional(),
  },
  STORE_IOS_URL: { is: "an address such as https://apps.apple.com/…", schema: url("https:").optional() },
  STORE_ANDROID_URL: { is: "an address such as https://play.google.com/…", schema: url("https:").optional() },
  READINGS_KEPT: {
    is: "for how long readings are kept, such as 24 months or 5 years",
    schema: z
      .string()
      .regex(/^[1-9]\d{0,3} ?(month|year)s?$/)
      .transform((text) => Number.parseInt(text, 10) * (text.includes("year") ? 12 : 1))
      .refine((months) => months <= monthsKeptRange.most)
      .optional(),
  },
  WEBHOOK_PRIVATE: {
    is: "1, which lets webhooks and bridges have addresses of private networks, or 0",
    schema: z
      .enum(["0", "1"])
      .default("0")
      .transform((text) => text === "1"),
  },
  PUSH_SERVICES: {
    is: "addresses of push services besides the browsers' own, such as https://push.example.com",
    schema: addresses("http:", "https:").optional(),
  },
  ...signOnVariables,
  METRICS_TOKEN: { is: "a text of at least 16 characters", schema: z.string().min(16).optional() },
  TRUST_PROXY: {
    is: "the addresses of the proxies in front, separated by commas, or 'loopback'",
    schema: z
      .string()
      .regex(/^[\w.:/, -]+$/)
      .optional(),
  },
  LOG_LEVEL: { is: levels.join(", "), schema: z.enum(levels).default("info") },
  TELLTALE_DEMO: {
    is: "1 or 0",
    schema: z
      .enum(["0", "1"])
      .default("1")
      .transform((text) => text === "1"),
  },
};

type Variables = { [K in keyof typeof variables]: z.output<(typeof variables)[K]["schema"]> };

/** The configuration, keyed by environment variable; DATA_DIR is absolute. */
export type Config = Variables & { DATA_DIR: string };

/** An environment variable is invalid; the message names it and says what it must be. */
export class BadConfig extends Error {}

/** A user's name in an address; as it is written where it is no code, like the mail library has it. */
const userOf = (address: string): string =>
  isDecodable(address) ? decodeURIComponent(new URL(address).username) : new URL(address).username;

/** Sender address of mail: MAIL_FROM, the mail account's own address, or `telltale@` the public host. */
export const mailSender = ({ MAIL_FROM, MAIL_URL, PUBLIC_URL }: Config): string => {
  const account = MAIL_URL ? userOf(MAIL_URL) : "";
  const host = PUBLIC_URL ? new URL(PUBLIC_URL).hostname : "localhost";
  return MAIL_FROM ?? (z.email().safeParse(account).success ? account : `telltale@${host}`);
};

/** Public address of the console, without a trailing slash. */
export const publicUrlOf = ({ PUBLIC_URL, PORT }: Pick<Config, "PUBLIC_URL" | "PORT">): string =>
  (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, "");

/** The operator's PayPal account; undefined when there is none. */
export const paypalAccountOf = (config: Config): PaypalAccount | undefined => {
  const { PAYPAL_URL, PAYPAL_CLIENT_ID: clientId, PAYPAL_SECRET: secret, PAYPAL_WEBHOOK_ID: webhookId } = config;
  return clientId && secret
    ? { clientId, secret, webhookId, origin: PAYPAL_URL ?? "https://api-m.paypal.com" }
    : undefined;
};

/** The operator's contact data for the support screen. */
export const operatorContactsOf = (config: Config): OperatorContacts => ({
  phone: config.SUPPORT_PHONE,
  email: config.SUPPORT_EMAIL,
  hours: config.SUPPORT_HOURS,
  iosUrl: config.STORE_IOS_URL,
  androidUrl: config.STORE_ANDROID_URL,
});

const isRoot = (): boolean => process.getuid?.() === 0;

const read = (environment: NodeJS.ProcessEnv): Variables => {
  const entries = Object.entries(variables).map(([name, { is, schema }]) => {
    // An empty variable counts as unset: that is how compose files leave variables out.
    const text = environment[name]?.trim() || undefined;
    if (text && areReadable[name]?.(text) === false)
      throw new BadConfig(
        `${name} has a % in its user or password that cannot be read: write %25 for a percent sign, and other characters as codes of UTF-8 (%C3%A9 for é)`,
      );
    const read = schema.safeParse(text);
    if (!read.success) throw new BadConfig(`${name} has to be ${is}`);
    return [name, read.data];
  });
  return Object.fromEntries(entries) as Variables;
};

/** Rejects incomplete PayPal credentials, and the sandbox together with a PayPal account: it would give away what is meant to be sold. */
const checkPayments = (values: Variables): void => {
  const { PAYPAL_URL, PAYPAL_CLIENT_ID, PAYPAL_SECRET, PAYPAL_WEBHOOK_ID } = values;
  const given = PAYPAL_URL ?? PAYPAL_CLIENT_ID ?? PAYPAL_SECRET ?? PAYPAL_WEBHOOK_ID;
  if (given && !(PAYPAL_CLIENT_ID && PAYPAL_SECRET))
    throw new BadConfig("PAYPAL_CLIENT_ID and PAYPAL_SECRET have to be given with each other, for payments by PayPal");
  if (given && values.PAYMENTS)
    throw new BadConfig("PAYMENTS=sandbox takes no money: leave it out to be paid by PayPal");
};

/** Nodes share one database: an embedded one belongs to a single server. */
const checkNodes = ({ NATS_URL, DATABASE_URL }: Variables): void => {
  if (NATS_URL && !DATABASE_URL)
    throw new BadConfig(
      "NATS_URL makes this server a node of a cluster, whose nodes share a PostgreSQL: set DATABASE_URL too, or leave NATS_URL out",
    );
};

/** Reads the configuration. Throws `BadConfig` with a one-line message at the first invalid variable. (decisions §6) */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  const values = read(environment);
  if (!values.TLS_CERT !== !values.TLS_KEY) {
    const name = values.TLS_CERT ? "TLS_KEY" : "TLS_CERT";
    throw new BadConfig(`${name} has to be ${variables[name].is}`);
  }
  checkPayments(values);
  checkNodes(values);
  const problem = signOnProblem(values);
  if (problem) throw new BadConfig(problem);
  return { ...values, DATA_DIR: resolve(values.DATA_DIR ?? (isRoot() ? "/var/lib/telltale" : "./data")) };
};
