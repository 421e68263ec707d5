import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { namedField } from "../../text/text-fields.ts";

/** How a webhook's messages are written. */
export const WebhookFormat = { standard: 1, slack: 2, teams: 3, ntfy: 4 } as const;
export type WebhookFormat = (typeof WebhookFormat)[keyof typeof WebhookFormat];
export const webhookFormatLabels: Record<WebhookFormat, string> = {
  1: "Standard Webhooks",
  2: "Slack",
  3: "Microsoft Teams",
  4: "ntfy",
};

/** An address of another system that alerts are posted to. */
export const WebhookRow = z.object({
  webhookId: z.int(),
  webhookName: z.string(),
  format: z.enum(WebhookFormat),
  /** In support views only its origin. */
  url: z.string(),
  enabled: z.boolean(),
  /** Whether an alert may be confirmed by the link in its messages. */
  mayConfirm: z.boolean(),
  /** The rules whose alerts go there. */
  alarmIds: z.array(z.int()),
  /** When it last accepted a message. */
  acceptedTime: wire.time().nullable(),
  /** Since when it has accepted none, and why; null while it does. */
  failingSince: wire.time().nullable(),
  fault: z.string(),
  createdTime: wire.time(),
  version: z.int(),
});
export type WebhookRow = z.output<typeof WebhookRow>;

const badUrl = "Enter an address such as https://hooks.example.com/alerts";

/** Without user and password: they would be shown to everybody who reads the list. */
const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
};

const fields = {
  webhookName: namedField("Name of the webhook cannot be blank"),
  format: wire.oneOf(WebhookFormat, "Choose a format"),
  url: z.string({ error: badUrl }).trim().max(2000, badUrl).refine(isAddress, { error: badUrl }),
  enabled: wire.oneOf([0, 1], "Send 1 to enable the webhook, 0 to disable it"),
  mayConfirm: wire.oneOf([0, 1], "Send 1 if alerts may be confirmed by its messages, 0 if not"),
  alarmIds: wire.commaList(wire.int("Choose alerts from the list")),
};
const webhookId = wire.int();
/** The secret of its signatures, `whsec_` and base64. It is answered this once. */
const Secret = z.object({ webhookId: z.int(), secret: z.string() });

/** Webhooks: alerts are posted to other systems. */
export const webhooks = {
  list: get("/api/webhook/list", {
    access: "webhooks.read",
    summary: "The plant's webhooks, newest first",
    query: z.object(pageQuery),
    result: page(WebhookRow),
  }),
  add: post("/api/webhook/add", {
    access: "webhooks.write",
    summary: "Adds a webhook; the secret of its signatures is answered this once",
    body: z.object(fields),
    result: Secret,
  }),
  update: post("/api/webhook/update", {
    access: "webhooks.write",
    summary: "Changes a webhook; its secret stays",
    body: z.object({ webhookId, ...fields, version: wire.int().optional() }),
    result: z.null(),
  }),
  rotate: post("/api/webhook/rotate", {
    access: "webhooks.write",
    summary: "Replaces a webhook's secret; for a day the one before signs, too",
    body: z.object({ webhookId }),
    result: Secret,
  }),
  test: post("/api/webhook/test", {
    access: "webhooks.write",
    summary: "Posts a test message at once; 409 with the reason when it is not accepted",
    body: z.object({ webhookId }),
    result: z.null(),
  }),
  remove: post("/api/webhook/delete", {
    access: "webhooks.write",
    summary: "Deletes a webhook; messages that wait for it are given up",
    body: z.object({ webhookId }),
    result: z.null(),
  }),
};
