import { notificationChannels } from "@telltale/contract/notification-channels";
import type { Letter } from "../../notify/index.ts";
import type { Operator } from "../open.ts";
import type { Row } from "../print.ts";

/** The latest messages of the outbox. The link of a sent message is no longer stored. */
export const listOutbox = async ({ db }: Operator, count: number): Promise<Row[]> => {
  const messages = await db.selectFrom("outbox").selectAll().orderBy("message_id", "desc").limit(count).execute();
  return messages.map((message) => ({
    time: message.created_time.toISOString(),
    kind: notificationChannels[message.kind].name,
    recipient: message.recipient,
    subject: message.subject,
    status: message.status,
    tries: message.tries,
    fault: message.fault || null,
    text: (message.body as { text?: string }).text ?? null,
    link: (message.body as Partial<Letter>).action?.url ?? null,
  }));
};
