import type { Input } from "@telltale/contract/call/call";
import { Code } from "@telltale/contract/call/codes";
import type { users } from "@telltale/contract/domains/people/users";
import type { Clock } from "../../platform/clock.ts";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { ApiError, conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createAttempts } from "../../platform/limits/attempts.ts";
import type { World } from "../../world.ts";
import { accountOfUser, inviterName, joinPlant, mailInvitation, userToInvite } from "../accounts/index.ts";
import { editUser } from "./edit.ts";
import { arePlants, assignAlarms, lockedAccount, userPage } from "./queries.ts";
import { keptDashboard, removeError } from "./rules.ts";

/** Adds an account that becomes active when its user answers the mailed invitation. Returns the account's id. */
const addUser = (
  { db, clock, publicUrl }: Pick<World, "db" | "clock" | "publicUrl">,
  input: Input<typeof users.add>,
  caller: Caller,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const { plantId } = caller;
    const given = { dashboardId: keptDashboard(input.type, input.dashboardId ?? null), alarmIds: input.alarmIds ?? [] };
    if (!(await arePlants(trx, plantId, given))) throw notFound();
    const userId = await userToInvite(trx, input, now);
    if (await accountOfUser(trx, plantId, userId)) throw conflict("This user has been added already");
    const member = { userId, plantId, roleType: input.type, dashboardId: given.dashboardId, called: input };
    const accountId = await joinPlant(trx, member, now);
    await assignAlarms(trx, accountId, given.alarmIds);
    await mailInvitation(trx, { accountId, invitedBy: await inviterName(trx, caller.userId), publicUrl, now });
    const detail = { accountId, after: { email: input.email, roleType: input.type, ...given } };
    await audit(trx, { plantId, userId: caller.userId, action: "user.add", detail, now });
    return accountId;
  });

/** Removes an account from the plant and ends its sessions. Alerts it has confirmed keep its name. */
const removeUser = async (
  { db, bus, clock }: Pick<World, "db" | "bus" | "clock">,
  accountId: number,
  caller: Caller,
): Promise<void> => {
  const ended = await db.transaction().execute(async (trx) => {
    const target = await lockedAccount(trx, caller.plantId, accountId);
    if (!target) throw notFound();
    const validationError = removeError({ caller, target: { accountId, roleType: target.role_type } });
    if (validationError) throw invalid(validationError);
    const now = clock.date();
    await trx
      .updateTable("accounts")
      .set({ activate: false, removed_time: now, version: target.version + 1 })
      .where("account_id", "=", accountId)
      .execute();
    await assignAlarms(trx, accountId, []);
    const detail = { accountId, before: { email: target.email, roleType: target.role_type } };
    await audit(trx, { plantId: caller.plantId, userId: caller.userId, action: "user.delete", detail, now });
    return trx.deleteFrom("sign_ins").where("account_id", "=", accountId).returning("token_hash").execute();
  });
  for (const { token_hash } of ended) bus.emit("signOut", { tokenHash: token_hash.toString("hex") });
};

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
  /** The caller's transaction, if any. */
  db: Database;
  plantId: number;
  email: string;
}

/** Runs work that mails an invitation, within the limits of recipient and plant. */
export type InvitationLimits = <T>(invitation: Invitation, work: () => Promise<T>) => Promise<T>;

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

const createdTime = async (db: Database, plantId: number): Promise<number> => {
  const plant = db.selectFrom("plants").select("created_time").where("plant_id", "=", plantId);
  return (await plant.executeTakeFirstOrThrow()).created_time.getTime();
};

/** Most plants whose invitations are remembered; beyond that the oldest are dropped. */
const mostPlants = 10_000;

/** Creates the limits of invitations, per recipient and per plant, stricter for new plants. */
const createInvitationLimits = (clock: Clock): InvitationLimits => {
  const byEmail = createAttempts(clock, emailLimit);
  const byPlant = new Map<number, number[]>();
  /** Counts an invitation of the plant, or throws; returns the function that takes it back. */
  const count = (plantId: number, since: number): (() => void) => {
    const now = clock.now();
    const limit = plantLimits.find(({ until }) => now - since < until) ?? plantLimits[2];
    const times = (byPlant.get(plantId) ?? []).filter((time) => time > now - day);
    const next = nextTime(times, limit);
    if (next > now) {
      const most = `${limit.whose} can send ${limit.hour} invitations an hour and ${limit.day} a day`;
      throw new ApiError(Code.tooManyTries, `${most}. The next can be sent ${waitText(next - now)}`);
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
      // No mail was sent.
      takeBack();
      byEmail.pardon(key);
      throw fault;
    }
  };
};

export const userRoutes = (world: Pick<World, "db" | "bus" | "clock" | "publicUrl">): Handlers<typeof users> => {
  const { db, clock, publicUrl } = world;
  const limited = createInvitationLimits(clock);
  return {
    list: (filter, caller) => userPage(db, caller.plantId, filter),
    add: async (input, caller) => ({
      accountId: await limited({ db, plantId: caller.plantId, email: input.email }, () =>
        addUser(world, input, caller),
      ),
    }),
    edit: async (input, caller) => {
      await editUser(world, input, caller);
      return null;
    },
    invite: async ({ accountId }, caller) => {
      await db.transaction().execute(async (trx) => {
        const target = await lockedAccount(trx, caller.plantId, accountId);
        if (!target) throw notFound();
        if (target.activate) throw conflict("This user has joined already");
        const invitedBy = await inviterName(trx, caller.userId);
        const invitation = { accountId, invitedBy, publicUrl, now: clock.date() };
        const to = { db: trx, plantId: caller.plantId, email: target.email };
        await limited(to, () => mailInvitation(trx, invitation));
      });
      return null;
    },
    remove: async ({ accountId }, caller) => {
      await removeUser(world, accountId, caller);
      return null;
    },
  };
};
