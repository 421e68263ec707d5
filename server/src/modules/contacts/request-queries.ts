import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, tooManyTries } from "../../platform/http/api-error.ts";
import { dayBefore, hourBefore, refusalLength, waitBeforeRequest } from "./limits.rules.ts";
import type { Contact } from "./queries.ts";

/** Plant and address of a request. */
type RequestInput = Pick<Contact, "plant_id" | "type" | "contact_info">;

const lock = (db: Database, what: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`.execute(db);

/**
 * Serialises requests per plant and per address until the transaction ends, so that concurrent ones cannot all pass the limits. The plant is locked
 * first, which prevents deadlocks.
 */
const lockLimits = async ({ plant_id, contact_info }: RequestInput, db: Database): Promise<void> => {
  await lock(db, `contacts of plant ${plant_id}`);
  await lock(db, `contact ${contact_info.toLowerCase()}`);
};

const requests = ({ type, contact_info }: RequestInput, db: Database) =>
  db.selectFrom("contact_requests").where("contact_info", "=", contact_info.toLowerCase()).where("type", "=", type);

const checkRefusal = async (db: Database, input: RequestInput, now: Date): Promise<void> => {
  const refused = await requests(input, db)
    .select(({ fn }) => fn.max("refused_time").as("time"))
    .where("plant_id", "=", input.plant_id)
    .executeTakeFirst();
  const until = refused?.time ? refused.time.getTime() + refusalLength : 0;
  if (until <= now.getTime()) return;
  const day = new Date(until).toISOString().slice(0, 10);
  throw conflict(`The person at this address has refused the alerts of this plant. Ask again from ${day}`);
};

const checkLimits = async (db: Database, input: RequestInput, now: Date): Promise<void> => {
  const [address, plant] = await Promise.all([
    requests(input, db).select("created_time").where("created_time", ">", dayBefore(now)).execute(),
    db
      .selectFrom("contact_requests")
      .select("created_time")
      .where("plant_id", "=", input.plant_id)
      .where("created_time", ">", hourBefore(now))
      .execute(),
  ]);
  const times = (rows: { created_time: Date }[]) => rows.map((row) => row.created_time);
  const wait = waitBeforeRequest({ address: times(address), plant: times(plant) }, now);
  if (wait > 0) throw tooManyTries(wait);
};

/**
 * Records a request to a contact, in its transaction. Throws when the address has refused the plant within the last 90 days, or when a limit is
 * reached; deleting and re-adding a contact does not reset these.
 */
export const recordRequest = async (db: Database, input: RequestInput, now: Date): Promise<void> => {
  await lockLimits(input, db);
  await checkRefusal(db, input, now);
  await checkLimits(db, input, now);
  const { plant_id, type, contact_info } = input;
  const request = { plant_id, type, contact_info: contact_info.toLowerCase(), created_time: now };
  await db.insertInto("contact_requests").values(request).execute();
  const forgotten = new Date(now.getTime() - refusalLength);
  await db
    .deleteFrom("contact_requests")
    .where("contact_info", "=", request.contact_info)
    .where("created_time", "<", forgotten)
    .where((eb) => eb.or([eb("refused_time", "is", null), eb("refused_time", "<", forgotten)]))
    .execute();
};

/** Records that the address has refused the plant. */
export const recordRefusal = async (
  db: Database,
  { plant_id, type, contact_info }: RequestInput,
  now: Date,
): Promise<void> => {
  const refusal = { plant_id, type, contact_info: contact_info.toLowerCase(), created_time: now, refused_time: now };
  await db.insertInto("contact_requests").values(refusal).execute();
};
