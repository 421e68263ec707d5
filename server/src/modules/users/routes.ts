import type { Input } from "@telltale/contract/call/call";
import type { users } from "@telltale/contract/domains/people/users";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { conflict, invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { accountOfUser, endSignIns, inviterName, joinPlant, mailInvitation, userToInvite } from "../accounts/index.ts";
import { revokeKeysOf } from "../keys/index.ts";
import { editUser } from "./edit.ts";
import { createInvitationLimits } from "./invitation-limits.ts";
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

/** Removes an account from the plant and ends its sessions and pushes. Alerts it has confirmed keep its name. */
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
    await trx.deleteFrom("push_subscriptions").where("account_id", "=", accountId).execute();
    const detail = { accountId, before: { email: target.email, roleType: target.role_type } };
    await audit(trx, { plantId: caller.plantId, userId: caller.userId, action: "user.delete", detail, now });
    const keys = await revokeKeysOf(trx, accountId);
    return [...keys, ...(await endSignIns(trx, { userId: target.user_id, accountId }, now))];
  });
  for (const tokenHash of ended) bus.emit("signOut", { tokenHash });
};

/** An account whose user has not joined yet; locked until the end of the transaction. */
const invitedAccount = async (db: Database, plantId: number, accountId: number) => {
  const target = await lockedAccount(db, plantId, accountId);
  if (!target) throw notFound();
  if (target.activate) throw conflict("This user has joined already");
  return target;
};

export const userRoutes = (
  world: Pick<World, "db" | "pool" | "bus" | "clock" | "node" | "publicUrl">,
): Handlers<typeof users> => {
  const { db, clock, publicUrl } = world;
  const limited = createInvitationLimits(world);
  return {
    list: (filter, caller) => userPage(db, caller.plantId, filter),
    add: async (input, caller) => ({
      accountId: await limited({ plantId: caller.plantId, email: input.email }, () => addUser(world, input, caller)),
    }),
    edit: async (input, caller) => {
      await editUser(world, input, caller);
      return null;
    },
    invite: async ({ accountId }, caller) => {
      const { email } = await invitedAccount(db, caller.plantId, accountId);
      await limited({ plantId: caller.plantId, email }, () =>
        db.transaction().execute(async (trx) => {
          await invitedAccount(trx, caller.plantId, accountId);
          const invitedBy = await inviterName(trx, caller.userId);
          await mailInvitation(trx, { accountId, invitedBy, publicUrl, now: clock.date() });
        }),
      );
      return null;
    },
    remove: async ({ accountId }, caller) => {
      await removeUser(world, accountId, caller);
      return null;
    },
  };
};
