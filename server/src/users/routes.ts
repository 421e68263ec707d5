import type { users } from "@telltale/contract/users";
import { mailInvitation } from "../accounts/invitation-queries.ts";
import { inviterName } from "../accounts/membership-queries.ts";
import type { Handlers } from "../http/mount.ts";
import { conflict, notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { addUser } from "./add.ts";
import { editUser } from "./edit.ts";
import { createInvitationLimits } from "./invitation-limits.ts";
import { lockedAccount, userPage } from "./queries.ts";
import { removeUser } from "./remove.ts";

export const userRoutes = (world: Pick<World, "db" | "bus" | "clock" | "publicUrl">): Handlers<typeof users> => {
  const { db, clock, publicUrl } = world;
  const limited = createInvitationLimits(clock);
  return {
    list: (filter, caller) => userPage(db, caller.plantId, filter),
    add: async (asked, caller) => ({
      accountId: await limited({ db, plantId: caller.plantId, email: asked.email }, () =>
        addUser(world, asked, caller),
      ),
    }),
    edit: async (asked, caller) => {
      await editUser(world, asked, caller);
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
