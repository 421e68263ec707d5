import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { audit } from "../../platform/database/audit.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import type { World } from "../../world.ts";
import { inSession, prepareSqlAccess, type SqlPlace } from "./prepare.ts";

type Needs = Pick<World, "db" | "pool" | "clock">;

/** PostgreSQL's own default. The passwords are random, so more would only make each connection slower. */
const iterations = 4_096;

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/**
 * PostgreSQL's form of an ASCII password for SCRAM-SHA-256 (RFC 5803), from which the password cannot be computed. Made here, so that the password is in
 * no statement, and therefore in no log, of PostgreSQL.
 */
const scramVerifier = (password: string): string => {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const stored = createHash("sha256").update(hmac(salted, "Client Key")).digest("base64");
  const serverKey = hmac(salted, "Server Key").toString("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${stored}:${serverKey}`;
};

/** Names that need no quotes in SQL, so that they can be typed as they are. */
const validName = /^[a-z][a-z0-9_]{2,40}$/;

const nameTaken = (name: string): OperatorError =>
  new OperatorError(`This PostgreSQL has a role ${name} already: choose another name`);

const checkName = async (adminUrl: string, name: string): Promise<void> => {
  if (!validName.test(name) || name.startsWith("pg_"))
    throw new OperatorError(`${name} cannot be a SQL user: use 3 to 41 small letters, digits and _, such as grafana`);
  const isTaken = await inSession(
    adminUrl,
    async (admin) => (await admin.query("SELECT FROM pg_roles WHERE rolname = $1", [name])).rowCount === 1,
  );
  if (isTaken) throw nameTaken(name);
};

/**
 * Creates a SQL user of a plant; returns its password, which is stored nowhere. Audited with `madeBy`. Throws an OperatorError when the name is taken or
 * cannot be one.
 */
export const addSqlUser = async (
  { db, pool, clock }: Needs,
  place: SqlPlace,
  { plantId, name, madeBy }: { plantId: number; name: string; madeBy: string },
): Promise<string> => {
  await checkName(place.adminUrl, name);
  const password = randomBytes(18).toString("base64url");
  const now = clock.date();
  await db.transaction().execute(async (trx) => {
    const row = { plant_id: plantId, role_name: name, verifier: scramVerifier(password), created_by: madeBy };
    const made = await trx
      .insertInto("sql_users")
      .values({ ...row, created_time: now })
      .onConflict((same) => same.doNothing())
      .returning("sql_user_id")
      .executeTakeFirst();
    if (!made) throw nameTaken(name);
    await audit(trx, { plantId, userId: null, action: "sqlUser.add", detail: { name, madeBy }, now });
  });
  await prepareSqlAccess(place, pool);
  return password;
};

/** Removes a SQL user and ends its sessions. Audited with `madeBy`. Throws an OperatorError when there is none of this name. */
export const removeSqlUser = async (
  { db, pool, clock }: Needs,
  place: SqlPlace,
  { name, madeBy }: { name: string; madeBy: string },
): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    const removed = await trx
      .deleteFrom("sql_users")
      .where("role_name", "=", name)
      .returning("plant_id")
      .executeTakeFirst();
    if (!removed) throw new OperatorError(`There is no SQL user ${name}`);
    const entry = { plantId: removed.plant_id, userId: null, action: "sqlUser.remove", detail: { name, madeBy } };
    await audit(trx, { ...entry, now: clock.date() });
  });
  await prepareSqlAccess(place, pool);
};

/** All SQL users with their plants, by name. */
export const listSqlUsers = ({ db }: Pick<World, "db">) =>
  db
    .selectFrom("sql_users")
    .innerJoin("plants", "plants.plant_id", "sql_users.plant_id")
    .select([
      "role_name as name",
      "plants.name as plant",
      "created_by as createdBy",
      "sql_users.created_time as created",
    ])
    .select(["used_time as lastUsed", "used_address as from"])
    .orderBy("role_name")
    .execute();
