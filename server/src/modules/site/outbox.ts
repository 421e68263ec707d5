import type { Result } from "@telltale/contract/call/call";
import type { Page } from "@telltale/contract/call/paging";
import type { site } from "@telltale/contract/domains/people/site";
import type { OutboxRow, outbox } from "@telltale/contract/domains/support";
import { formatMessage } from "../../notify/index.ts";
import { offsetOf, type PageRequest, pageOf } from "../../platform/database/paging.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";

/** Kept mail and SMS, newest first. Queued ones are included, so that nobody has to wait for a mail; delayed alerts only once they are kept. */
const keptMessages = async (
  { db, publicUrl }: Pick<World, "db" | "publicUrl">,
  page: PageRequest,
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
    .offset(offsetOf(page))
    .limit(page.size)
    .execute();
  const rows = messages.map(async (message) => ({
    messageId: message.message_id,
    kind: message.kind,
    recipient: message.recipient,
    ...(await formatMessage(db, message, publicUrl)),
    createdTime: message.created_time,
  }));
  return pageOf(await Promise.all(rows), total, page);
};

export const outboxRoutes = (
  world: Pick<World, "db" | "publicUrl">,
  { hasOutbox }: Pick<Result<typeof site.info>, "hasOutbox">,
): Handlers<typeof outbox> => ({
  list: async (page) => {
    if (!hasOutbox) throw notFound();
    return keptMessages(world, page);
  },
});
