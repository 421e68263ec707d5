import { hashPassword } from "../modules/accounts/passwords/password.ts";
import type { World } from "../world.ts";
import type { Person } from "./test-people.ts";

/** The password of all test users with a password. */
export const password = "correct horse";

/** Gives the user this password. */
export const withPassword = async ({ db }: Pick<World, "db">, person: Person): Promise<Person> => {
  const password_hash = await hashPassword(password);
  await db.updateTable("users").set({ password_hash }).where("user_id", "=", person.userId).execute();
  return person;
};
