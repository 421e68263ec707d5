import { type ExpressionBuilder, sql } from "kysely";
import type { Database, Schema } from "../../../platform/database/schema/schema.ts";
import { hashOf, newToken } from "../sign-in/sessions.ts";

type Purpose = Schema["mail_links"]["purpose"];

/** How long a link works, in milliseconds. (decisions §5; who was invited, or asked to be a contact, answers when there is time for it) */
const lives: Record<Purpose, number> = {
  registration: 3_600_000,
  reset: 3_600_000,
  invitation: 7 * 86_400_000,
  contact: 7 * 86_400_000,
};

interface NewLink {
  purpose: Purpose;
  email: string;
  /** What the link is for; given back when it is used. */
  detail?: object;
  now: Date;
}

/** Makes the secret of a mailed link. Only its hash is kept. */
export const newMailLink = async (db: Database, { purpose, email, detail = {}, now }: NewLink): Promise<string> => {
  const secret = newToken();
  await db
    .insertInto("mail_links")
    .values({
      secret_hash: hashOf(secret),
      purpose,
      email,
      detail: JSON.stringify(detail),
      created_time: now,
      expires_time: new Date(now.getTime() + lives[purpose]),
    })
    .execute();
  return secret;
};

interface UsedLink {
  purpose: Purpose;
  email: string;
  secret: string;
  now: Date;
}

const isLink =
  ({ purpose, email, secret, now }: UsedLink) =>
  (eb: ExpressionBuilder<Schema, "mail_links">) =>
    eb.and([
      eb("secret_hash", "=", hashOf(secret)),
      eb("purpose", "=", purpose),
      eb(eb.fn("lower", ["email"]), "=", email.toLowerCase()),
      eb("expires_time", ">", now),
    ]);

/** What is kept of a link is what was written when it was made; whoever reads it knows for which purpose. */
const detailIn = <T>(link: { detail: unknown } | undefined): T | undefined => link?.detail as T | undefined;

/** What a link is for, while it works. */
export const mailLinkDetail = async <T>(db: Database, link: UsedLink): Promise<T | undefined> => {
  const found = await db.selectFrom("mail_links").select("detail").where(isLink(link)).executeTakeFirst();
  return detailIn(found);
};

/** Uses a link up: of two who open it at the same time one gets what it is for. */
export const takeMailLink = async <T>(db: Database, link: UsedLink): Promise<T | undefined> => {
  const taken = await db.deleteFrom("mail_links").where(isLink(link)).returning("detail").executeTakeFirst();
  return detailIn(taken);
};

/**
 * Lets those who ask for a link to one address follow each other until the transaction ends, so that the last link is the only one that works. For
 * transactions that begin with it: whoever has used a link up must not wait for it.
 */
export const lockMailLinks = (db: Database, email: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`mail links ${email.toLowerCase()}`}, 0))`.execute(db);

/** Ends the links of this purpose that were mailed to an address; gives what the last of them was for. */
export const endMailLinks = async <T>(db: Database, purpose: Purpose, email: string): Promise<T | undefined> => {
  const ended = await db
    .deleteFrom("mail_links")
    .where("purpose", "=", purpose)
    .where((eb) => eb(eb.fn("lower", ["email"]), "=", email.toLowerCase()))
    .returning(["detail", "created_time"])
    .execute();
  const [last] = ended.toSorted((a, b) => b.created_time.getTime() - a.created_time.getTime());
  return detailIn(last);
};
