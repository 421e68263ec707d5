import { hashPassword } from "../modules/accounts/passwords/password.ts";
import type { World } from "../world.ts";
import type { Person } from "./test-people.ts";

/** The password of everybody whom a test gives one. */
export const password = "correct horse";

/** Lets the person sign in with `password`. */
export const withPassword = async ({ db }: Pick<World, "db">, person: Person): Promise<Person> => {
  const password_hash = await hashPassword(password);
  await db.updateTable("users").set({ password_hash }).where("user_id", "=", person.userId).execute();
  return person;
};
