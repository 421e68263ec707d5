import { Role } from "@telltale/contract/permissions";
import { notAllowed } from "../../../platform/http/api-error.ts";
import type { World } from "../../../world.ts";

const isOwner = async ({ db }: Pick<World, "db">, email: string): Promise<boolean> => {
  const account = await db
    .selectFrom("users as u")
    .innerJoin("accounts as a", "a.user_id", "u.user_id")
    .select("a.account_id")
    .where(({ eb, fn }) => eb(fn<string>("lower", ["u.email"]), "=", email.toLowerCase()))
    .where("a.role_type", "=", Role.owner)
    .where("a.activate", "=", true)
    .executeTakeFirst();
  return account !== undefined;
};

/** Throws when passwords are off, and this is not the owner whom the operator has left one. Says the same whether or not the address is known. */
export const checkPasswordOf = async (world: Pick<World, "db" | "passwords">, email: string): Promise<void> => {
  const { isOff, keptFor, instead } = world.passwords;
  if (!isOff) return;
  const isKept = keptFor?.toLowerCase() === email.trim().toLowerCase();
  if (!(isKept && (await isOwner(world, email.trim()))))
    throw notAllowed(`Passwords are switched off on this server. Please sign in with ${instead}`);
};
