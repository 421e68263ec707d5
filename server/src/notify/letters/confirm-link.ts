import { createHmac, timingSafeEqual } from "node:crypto";
import type { Database } from "../../platform/database/schema/schema.ts";
import { sharedSecret } from "../../platform/database/shared-secret.ts";
import type { QueuedMessage } from "../outbox/queries.ts";

/** What a link is signed over. The time keeps a link from another row of the same id, which a restored backup may assign anew. */
type Signed = Pick<QueuedMessage, "message_id" | "alert_id" | "kind" | "recipient" | "created_time">;

/** Characters of the MAC in a link: 96 bits, so that the link fits an SMS. */
const macLength = 16;

const macOf = (secret: Buffer, { alert_id, kind, recipient, created_time }: Signed): string =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["alert link", alert_id, kind, recipient.toLowerCase(), created_time.getTime()]))
    .digest("base64url")
    .slice(0, macLength);

const secretOf = (db: Database): Promise<Buffer> => sharedSecret(db, "alert links");

/**
 * The link of an alert's message: it shows the alert to this recipient, who may confirm it there without signing in. Undefined for messages that are
 * about no alert.
 */
export const alertLink = async (db: Database, message: Signed, publicUrl: string): Promise<string | undefined> => {
  if (message.alert_id === null) return undefined;
  return `${publicUrl}/c/${macOf(await secretOf(db), message)}${message.message_id.toString(36)}`;
};

/** A message of the outbox about an alert of a plant. */
export type LinkMessage = Signed & { alert_id: number; plant_id: number };

const written = new RegExp(`^([\\w-]{${macLength}})([0-9a-z]{1,10})$`);

/** The message that a link was sent with; undefined for one that this server has not signed, or whose message is no longer kept. */
export const messageOfLink = async (db: Database, link: string): Promise<LinkMessage | undefined> => {
  const [, mac = "", id = ""] = written.exec(link) ?? [];
  if (id === "") return undefined;
  const message = await db
    .selectFrom("outbox")
    .select(["message_id", "alert_id", "plant_id", "kind", "recipient", "created_time"])
    .where("message_id", "=", Number.parseInt(id, 36))
    .executeTakeFirst();
  const { alert_id = null, plant_id = null } = message ?? {};
  if (!message || alert_id === null || plant_id === null) return undefined;
  const isRight = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(await secretOf(db), message)));
  return isRight ? { ...message, alert_id, plant_id } : undefined;
};
