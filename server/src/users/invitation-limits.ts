import { Code } from "@telltale/contract/codes";
import type { Clock } from "../clock.ts";
import { Refusal } from "../http/refusal.ts";
import { createTries } from "../http/tries.ts";
import type { Database } from "../world.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** To one address, whoever asks: within the window in milliseconds. */
const emailLimit = { most: 5, window: 600_000 };

/** What a plant may mail until it has this age, milliseconds. Anybody can open a plant; one that mails the world does so in its first days. */
const plantLimits = [
  { until: 7 * day, whose: "In its first week a plant", hour: 10, day: 20 },
  { until: 30 * day, whose: "In its first month a plant", hour: 30, day: 100 },
  { until: Number.POSITIVE_INFINITY, whose: "A plant", hour: 100, day: 500 },
] as const;

interface Invitation {
  /** The caller's transaction, where there is one. */
  db: Database;
  plantId: number;
  email: string;
}

/** Does what mails an invitation, unless its recipient or its plant has had too many of them. */
export type InvitationLimits = <T>(invitation: Invitation, work: () => Promise<T>) => Promise<T>;

const inWords = (wait: number): string => {
  const minutes = Math.ceil(wait / 60_000);
  if (minutes <= 1) return "in a minute";
  return minutes <= 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`;
};

/** When the next may be mailed, after those at `times` within the last day, oldest first. */
const nextTime = (times: readonly number[], limit: (typeof plantLimits)[number]): number =>
  Math.max(
    (times[times.length - limit.hour] ?? Number.NEGATIVE_INFINITY) + hour,
    (times[times.length - limit.day] ?? Number.NEGATIVE_INFINITY) + day,
  );

const createdTime = async (db: Database, plantId: number): Promise<number> => {
  const plant = db.selectFrom("plants").select("created_time").where("plant_id", "=", plantId);
  return (await plant.executeTakeFirstOrThrow()).created_time.getTime();
};

/** Plants whose invitations are remembered at once; beyond, the one that was remembered first goes. */
const mostPlants = 10_000;

/** Nobody's mailbox is filled by invitations, and no plant mails the world: a young one least of all. */
export const createInvitationLimits = (clock: Clock): InvitationLimits => {
  const byEmail = createTries(clock, emailLimit);
  const byPlant = new Map<number, number[]>();
  /** Counts an invitation of the plant, or refuses it; gives what takes it back. */
  const count = (plantId: number, since: number): (() => void) => {
    const now = clock.now();
    const limit = plantLimits.find(({ until }) => now - since < until) ?? plantLimits[2];
    const times = (byPlant.get(plantId) ?? []).filter((time) => time > now - day);
    const next = nextTime(times, limit);
    if (next > now) {
      const most = `${limit.whose} can send ${limit.hour} invitations an hour and ${limit.day} a day`;
      throw new Refusal(Code.tooManyTries, `${most}. The next can be sent ${inWords(next - now)}`);
    }
    times.push(now);
    byPlant.delete(plantId);
    byPlant.set(plantId, times);
    const oldest = byPlant.keys().next();
    if (byPlant.size > mostPlants && !oldest.done) byPlant.delete(oldest.value);
    return () => {
      const at = byPlant.get(plantId)?.indexOf(now) ?? -1;
      if (at >= 0) byPlant.get(plantId)?.splice(at, 1);
    };
  };
  return async ({ db, plantId, email }, work) => {
    const since = await createdTime(db, plantId);
    const key = email.toLowerCase();
    byEmail.check(key);
    const takeBack = count(plantId, since);
    byEmail.failed(key);
    try {
      return await work();
    } catch (fault) {
      // Nothing was mailed.
      takeBack();
      byEmail.pardon(key);
      throw fault;
    }
  };
};
