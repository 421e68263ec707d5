import { isPassword } from "../modules/accounts/index.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import type { Closed } from "../world.ts";
import { isDemonstration, planned } from "./plants/fleet.ts";
import { demonstrationPassword, unclaimed, users } from "./plants/plants.ts";

/** What of the demonstration stays closed, and who of its users is let in all the same. */
export interface ClosedDemonstration extends Closed {
  /** E-mail addresses of its users who have set a password that is not the public one: they are real people. */
  withOwnPassword: string[];
}

const known = (db: Database) =>
  db
    .selectFrom("users")
    .select(["user_id", "email", "password_hash"])
    .where(
      "email",
      "in",
      users.map(({ email }) => email),
    )
    .orderBy("user_id")
    .execute();

/**
 * What must not work while a database that holds the demonstration is served without it, because it is public: its password, whatever was opened
 * with that, and its units with their IDs and tokens. Undefined when the database holds none.
 */
export const closedDemonstration = async (db: Database): Promise<ClosedDemonstration | undefined> => {
  if (!(await isDemonstration(db))) return undefined;
  const userIds = new Set<number>();
  const withOwnPassword: string[] = [];
  for (const { user_id, email, password_hash } of await known(db)) {
    if (await isPassword(password_hash, demonstrationPassword)) userIds.add(user_id);
    else withOwnPassword.push(email);
  }
  const deviceSnIds = new Set([...planned.keys(), ...unclaimed.map(({ deviceSnId }) => deviceSnId)]);
  return { userIds, deviceSnIds, withOwnPassword };
};
