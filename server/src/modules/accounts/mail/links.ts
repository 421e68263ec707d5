import { type ExpressionBuilder, sql } from "kysely";
import type { Database, Schema } from "../../../platform/database/schema/schema.ts";
import { hashOf, newToken } from "../sign-in/sessions.ts";

type Purpose = Schema["mail_links"]["purpose"];

/** Lifetime of a link, milliseconds. (decisions §5; invited users and contacts get more time) */
const lives: Record<Purpose, number> = {
  registration: 3_600_000,
  reset: 3_600_000,
  invitation: 7 * 86_400_000,
  contact: 7 * 86_400_000,
};

/** How long an expired link is kept, milliseconds: who asks for another confirmation of a registration gets it by the last one. */
const memory = 7 * 86_400_000;

/** Most old links that are deleted with a new one, so that nobody's request takes long. */
const mostForgotten = 100;

/** Deletes links that have long expired: those of registrations hold a password's hash. Waits for nobody who is deleting the same. */
const forgetOldLinks = (db: Database, now: Date) =>
  db
    .deleteFrom("mail_links")
    .where("secret_hash", "in", (links) =>
      links
        .selectFrom("mail_links")
        .select("secret_hash")
        .where("expires_time", "<", new Date(now.getTime() - memory))
        .limit(mostForgotten)
        .forUpdate()
        .skipLocked(),
    )
    .execute();

interface NewLink {
  purpose: Purpose;
  email: string;
  /** Data of the link, returned when it is used. */
  detail?: object;
  now: Date;
}

/** Creates the secret of a mailed link. Only its hash is stored. Links that have long expired are deleted. */
export const newMailLink = async (db: Database, { purpose, email, detail = {}, now }: NewLink): Promise<string> => {
  await forgetOldLinks(db, now);
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

/** The stored detail of a link; its type depends on the purpose, which the caller knows. */
const detailIn = <T>(link: { detail: unknown } | undefined): T | undefined => link?.detail as T | undefined;

/** The detail of a valid link; undefined when it has expired or was used. */
export const mailLinkDetail = async <T>(db: Database, link: UsedLink): Promise<T | undefined> => {
  const found = await db.selectFrom("mail_links").select("detail").where(isLink(link)).executeTakeFirst();
  return detailIn(found);
};

/** Uses up a link and returns its detail; of two concurrent uses one succeeds. */
export const takeMailLink = async <T>(db: Database, link: UsedLink): Promise<T | undefined> => {
  const taken = await db.deleteFrom("mail_links").where(isLink(link)).returning("detail").executeTakeFirst();
  return detailIn(taken);
};

/**
 * Serialises requests for links to one address until the transaction ends, so that only the last link is valid. Must be the transaction's first
 * statement: a transaction that has used up a link must not wait for it.
 */
export const lockMailLinks = (db: Database, email: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`mail links ${email.toLowerCase()}`}, 0))`.execute(db);

/** Invalidates the links of this purpose to an address; returns the detail of the last one. */
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
