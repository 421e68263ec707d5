import { z } from "zod";
import { get, getFile } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";

export const MessageKind = { mail: 1, sms: 2 } as const;
export type MessageKind = (typeof MessageKind)[keyof typeof MessageKind];
export const messageKindLabels: Record<MessageKind, string> = { 1: "Mail", 2: "SMS" };

/** A mail or SMS that would have been sent. */
export const OutboxRow = z.object({
  messageId: z.int(),
  kind: z.enum(MessageKind),
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

/** The tabs of the support screen; `type` of the call that fills them. (spec 2 §2) */
export const SupportType = { faq: 1, documentation: 2, contact: 3, downloads: 4 } as const;
export type SupportType = (typeof SupportType)[keyof typeof SupportType];

/**
 * One thing to read, to open or to call; a field that does not apply is empty. `content` is HTML made by the server out of its guide: of a
 * question the answer, of a tutorial its text; a contact's says in plain words when it is answered. `url` is what a manual or an app
 * is opened by, and of a tutorial its own place in the console.
 */
export const SupportItem = z.object({
  title: z.string(),
  content: z.string(),
  url: z.string(),
  phone: z.string(),
  email: z.string(),
});
export type SupportItem = z.output<typeof SupportItem>;

/** What is asked for by name, and the digest of its content: an address never answers anything else. */
const namedFile = z.object({ name: wire.text(), version: wire.text().optional() });

/** Support material: the guide of this product, and what the operator has given to reach somebody by. */
export const support = {
  getInfo: get("/api/support/getInfo", {
    access: "support.read",
    summary: "What a tab of the support screen holds: 1 questions, 2 manuals and tutorials, 3 contacts, 4 apps",
    query: z.object({ type: wire.oneOf(Object.values(SupportType), "Choose a kind of support") }),
    result: z.array(SupportItem),
  }),
  manual: getFile("/api/support/manual", {
    access: "public",
    summary: "A manual as PDF; the address that the url of a manual names",
    file: "application/pdf",
    query: namedFile,
  }),
  image: getFile("/api/support/image", {
    access: "public",
    summary: "A picture of the guide; the address that questions and tutorials name",
    file: "image/png",
    query: namedFile,
  }),
};
