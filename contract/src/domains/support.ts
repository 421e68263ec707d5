import { z } from "zod";
import { get, getFile } from "../call/call.ts";
import { page, pageQuery } from "../call/paging.ts";
import * as wire from "../call/wire.ts";
import { MessageKind } from "../notification-channels.ts";

/** A mail or SMS that would have been sent. */
export const OutboxRow = z.object({
  messageId: z.int(),
  kind: z.enum(MessageKind),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  /** Links in the text, in order. */
  links: z.array(z.string()),
  createdTime: wire.time(),
});
export type OutboxRow = z.output<typeof OutboxRow>;

/** What a demonstration would have sent. */
export const outbox = {
  list: get("/api/outbox", {
    access: "public",
    summary: "Mails and SMS that a demonstration held back, newest first; 404 on any other server",
    query: z.object(pageQuery),
    result: page(OutboxRow),
  }),
};

/** Tabs of the support screen; `type` of the call that loads them. (spec 2 §2) */
export const SupportType = { faq: 1, documentation: 2, contact: 3, downloads: 4 } as const;
export type SupportType = (typeof SupportType)[keyof typeof SupportType];

/**
 * One item of a support tab; fields that do not apply are empty. `content` is HTML that the server renders from its guide: for a question the
 * answer, for a tutorial its text; for a contact it is plain text about when it is answered. `url` opens a manual or an app; for a tutorial it
 * is its address in the console.
 */
export const SupportItem = z.object({
  title: z.string(),
  content: z.string(),
  url: z.string(),
  phone: z.string(),
  email: z.string(),
});
export type SupportItem = z.output<typeof SupportItem>;

/** A file requested by name, with the digest of its content: one address always answers the same content. */
const namedFile = z.object({ name: wire.text(), version: wire.text().optional() });

/** Support material: this product's guide, and the operator's contact details. */
export const support = {
  getInfo: get("/api/support/getInfo", {
    access: "support.read",
    summary: "Content of a tab of the support screen: 1 questions, 2 manuals and tutorials, 3 contacts, 4 apps",
    query: z.object({ type: wire.oneOf(SupportType, "Choose a support tab") }),
    result: z.array(SupportItem),
  }),
  manual: getFile("/api/support/manual", {
    access: "public",
    summary: "A manual as PDF; `url` of a manual is this address",
    file: "application/pdf",
    query: namedFile,
  }),
  image: getFile("/api/support/image", {
    access: "public",
    summary: "A picture of the guide; questions and tutorials link to this address",
    file: "image/png",
    query: namedFile,
  }),
};
