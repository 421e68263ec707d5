import { Code } from "@telltale/contract/call/codes";
import { sql } from "kysely";
import type { Database } from "../../platform/database/schema/schema.ts";
import { ApiError } from "../../platform/http/api-error.ts";
import type { AttemptNeeds } from "../../platform/limits/attempts.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import type { World } from "../../world.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** Most invitations to one address, per window in milliseconds. */
const emailLimit = { most: 5, window: 600_000 };

/** Limits of a plant's invitations by its age, milliseconds. Anyone can open a plant; one that sends spam does so in its first days. */
const plantLimits = [
  { until: 7 * day, whose: "In its first week a plant", hour: 10, day: 20 },
  { until: 30 * day, whose: "In its first month a plant", hour: 30, day: 100 },
  { until: Number.POSITIVE_INFINITY, whose: "A plant", hour: 100, day: 500 },
] as const;

interface Invitation {
  plantId: number;
  email: string;
}

/** Runs work that mails an invitation, within the limits of recipient and plant. */
type InvitationLimits = <T>(invitation: Invitation, work: () => Promise<T>) => Promise<T>;

const waitText = (wait: number): string => {
  const minutes = Math.ceil(wait / 60_000);
  if (minutes <= 1) return "in a minute";
  return minutes <= 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
};

/** When the next invitation may be mailed; `times` of the last day, oldest first. */
const nextTime = (times: readonly number[], limit: (typeof plantLimits)[number]): number =>
  Math.max(
    (times[times.length - limit.hour] ?? Number.NEGATIVE_INFINITY) + hour,
    (times[times.length - limit.day] ?? Number.NEGATIVE_INFINITY) + day,
  );

/** First key of the advisory locks of plants' invitations; an arbitrary number that must be the same in every version. */
const lockClass = 8_021_981;

/** When the plant was created, and when it sent invitations within the last day, oldest first; epoch milliseconds. Locked for other calls. */
const lockedTimes = async (
  trx: Database,
  plantId: number,
  now: number,
): Promise<{ since: number; times: number[] }> => {
  await sql`select pg_advisory_xact_lock(${lockClass}, ${plantId})`.execute(trx);
  const plant = trx.selectFrom("plants").select("created_time").where("plant_id", "=", plantId);
  const since = (await plant.executeTakeFirstOrThrow()).created_time.getTime();
  const old = trx.deleteFrom("sent_invitations").where("plant_id", "=", plantId);
  await old.where("sent_time", "<=", new Date(now - day)).execute();
  const sent = trx.selectFrom("sent_invitations").select("sent_time").where("plant_id", "=", plantId);
  const rows = await sent.orderBy("sent_time").execute();
  return { since, times: rows.map(({ sent_time }) => sent_time.getTime()) };
};

/** Counts an invitation of the plant, or throws 429 with when the next can be sent. Returns its id. */
const countOfPlant = ({ db, clock }: Pick<World, "db" | "clock">, plantId: number): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const now = clock.now();
    const { since, times } = await lockedTimes(trx, plantId, now);
    const limit = plantLimits.find(({ until }) => now - since < until) ?? plantLimits[2];
    const next = nextTime(times, limit);
    if (next > now) {
      const most = `${limit.whose} can send ${limit.hour} invitations an hour and ${limit.day} a day`;
      throw new ApiError(Code.tooManyTries, `${most}. The next can be sent ${waitText(next - now)}`);
    }
    const row = { plant_id: plantId, sent_time: new Date(now) };
    const counted = trx.insertInto("sent_invitations").values(row).returning("invitation_id");
    return (await counted.executeTakeFirstOrThrow()).invitation_id;
  });

/** Creates the limits of invitations, per recipient and per plant, stricter for new plants. Do not call them within a transaction. */
export const createInvitationLimits = (world: AttemptNeeds & Pick<World, "db">): InvitationLimits => {
  const { db } = world;
  const byEmail = createAttempts(world, "invitations by recipient", emailLimit);
  return async ({ plantId, email }, work) => {
    const key = email.toLowerCase();
    await byEmail.check(key);
    const id = await countOfPlant(world, plantId);
    const takeBack = () => db.deleteFrom("sent_invitations").where("invitation_id", "=", id).execute();
    try {
      await byEmail.count(key);
    } catch (fault) {
      await takeBack();
      throw fault;
    }
    try {
      return await work();
    } catch (fault) {
      // No mail was sent.
      await takeBack();
      await byEmail.pardon(key);
      throw fault;
    }
  };
};
