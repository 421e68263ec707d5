import { isPassword } from "../modules/accounts/index.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import type { Closed } from "../world.ts";
import { isDemonstration, planned } from "./plants/fleet.ts";
import { demonstrationPassword, unclaimed, users } from "./plants/plants.ts";

/** The disabled part of the demonstration, and its users who may still sign in. */
export interface ClosedDemonstration extends Closed {
  /** E-mail addresses of its users who have changed the public password: they are real users. */
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
 * The users and devices to disable when a database with the demonstration is served without it, because they are public: users with the public
 * password (and everything opened with it), and units with their IDs and tokens. Undefined when the database has no demonstration.
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
