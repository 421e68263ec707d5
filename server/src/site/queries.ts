import type { Page } from "@telltale/contract/paging";
import type { OutboxRow } from "@telltale/contract/site";
import { offsetOf, type PageAsked, pageOf } from "../database/paging.ts";
import { type Letter, plainText } from "../notify/letter.ts";
import type { Database } from "../world.ts";

/** Mails and SMS that were kept, the latest first. Those about to be kept are shown too, so that nobody waits for a mail. */
export const keptMessages = async (db: Database, asked: PageAsked): Promise<Page<OutboxRow>> => {
  const kept = db.selectFrom("outbox").where("status", "in", ["kept", "waiting"]);
  const { total } = await kept.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const messages = await kept
    .selectAll()
    .orderBy("message_id", "desc")
    .offset(offsetOf(asked))
    .limit(asked.size)
    .execute();
  const rows = messages.map((message) => {
    const letter = message.body as Letter;
    return {
      messageId: message.message_id,
      kind: message.kind,
      recipient: message.recipient,
      subject: message.subject,
      text: plainText(letter),
      links: letter.action ? [letter.action.url] : [],
      createdTime: message.created_time,
    };
  });
  return pageOf(rows, total, asked);
};
