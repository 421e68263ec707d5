import { MessageKind } from "@telltale/contract/notification-channels";
import { expect } from "vitest";
import { alertLink } from "../notify/index.ts";
import type { World } from "../world.ts";

/** Queues the message of an alert as raising does, and returns the secret part of its link. */
export const aLink = async (
  { db, clock, publicUrl }: Pick<World, "db" | "clock" | "publicUrl">,
  { plantId }: { plantId: number },
  alertId: number,
  recipient: string,
  kind: MessageKind = MessageKind.mail,
): Promise<string> => {
  const now = clock.date();
  const message = await db
    .insertInto("outbox")
    .values({
      ...{ plant_id: plantId, alert_id: alertId, kind, recipient, body: "{}" },
      ...{ next_time: now, created_time: now },
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const url = new URL((await alertLink(db, message, publicUrl)) ?? "");
  expect(url.pathname).toMatch(/^\/c\/[\w-]{16}[0-9a-z]+$/);
  return url.pathname.slice("/c/".length);
};
