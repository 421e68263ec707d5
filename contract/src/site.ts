import { z } from "zod";
import { get } from "./call.ts";
import { page, pageQuery } from "./paging.ts";
import * as wire from "./wire.ts";

export const MessageKind = { mail: 1, sms: 2 } as const;
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];

/** A mail or SMS that would have been sent. */
export const OutboxRow = z.object({
  messageId: z.int(),
  kind: z.int(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  /** Links of the text, in its order. */
  links: z.array(z.string()),
  createdTime: wire.time(),
});
export type OutboxRow = z.output<typeof OutboxRow>;

/** What the console needs to know of the server before anybody has signed in. */
export const site = {
  info: get("/api/site", {
    access: "public",
    summary: "Whether this is a demonstration with an outbox to look into, and whether anything can be bought",
    result: z.object({ hasOutbox: z.boolean(), hasPayments: z.boolean() }),
  }),
  outbox: get("/api/outbox", {
    access: "public",
    summary: "Mails and SMS that a demonstration has not sent, the latest first; does not exist anywhere else",
    query: z.object(pageQuery),
    result: page(OutboxRow),
  }),
};
