import type { Page } from "@telltale/contract/paging";
import { MessageKind, type OutboxRow } from "@telltale/contract/site";
import type { Selectable } from "kysely";
import { offsetOf, type PageAsked, pageOf } from "../database/paging.ts";
import type { Schema } from "../database/schema.ts";
import { linksOf, plainText } from "../notify/letter.ts";
import { letterOf, smsOf } from "../notify/message.ts";
import type { World } from "../world.ts";

const wordsOf = (message: Selectable<Schema["outbox"]>, publicUrl: string) => {
  if (message.kind === MessageKind.sms) return { subject: "", text: smsOf(message, publicUrl), links: [] };
  const letter = letterOf(message, publicUrl);
  return { subject: letter.subject, text: plainText(letter), links: linksOf(letter) };
};

/** Mails and SMS that were kept, the latest first. Those about to be kept are shown too, so that nobody waits for a mail; those that are old news only when they are kept. */
export const keptMessages = async (
  { db, publicUrl }: Pick<World, "db" | "publicUrl">,
  asked: PageAsked,
): Promise<Page<OutboxRow>> => {
  const kept = db
    .selectFrom("outbox")
    .where(({ eb, and, or, ref }) =>
      or([eb("status", "=", "kept"), and([eb("status", "=", "waiting"), eb("next_time", "<=", ref("created_time"))])]),
    );
  const { total } = await kept.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const messages = await kept
    .selectAll()
    .orderBy("message_id", "desc")
    .offset(offsetOf(asked))
    .limit(asked.size)
    .execute();
  const rows = messages.map((message) => ({
    messageId: message.message_id,
    kind: message.kind,
    recipient: message.recipient,
    ...wordsOf(message, publicUrl),
    createdTime: message.created_time,
  }));
  return pageOf(rows, total, asked);
};
