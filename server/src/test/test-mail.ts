import type { Letter } from "../notify/letters/letter.ts";
import type { World } from "../world.ts";

/** Queued mails to this address, in order. */
export const mailsTo = async ({ db }: Pick<World, "db">, email: string): Promise<Letter[]> => {
  const messages = await db
    .selectFrom("outbox")
    .select("body")
    .where("recipient", "=", email)
    .orderBy("message_id")
    .execute();
  return messages.map(({ body }) => body as Letter);
};

/** The fields of the link in the latest mail to this address. */
export const linkTo = async (world: Pick<World, "db">, email: string) => {
  const mails = await mailsTo(world, email);
  const url = mails.at(-1)?.action?.url;
  if (!url) throw new Error(`${email} was sent no link`);
  const { pathname, searchParams } = new URL(url);
  return { pathname, accessToken: searchParams.get("accessToken") ?? "", email: searchParams.get("email") ?? "" };
};
