import type { Input } from "@telltale/contract/call";
import type { Role } from "@telltale/contract/permissions";
import type { users } from "@telltale/contract/users";
import { mailInvitation } from "../accounts/invitation-queries.ts";
import { accountOfUser, inviterName, joinPlant, userToInvite } from "../accounts/membership-queries.ts";
import { audit } from "../database/audit.ts";
import type { Caller } from "../http/caller.ts";
import { conflict, notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { arePlants, assignAlarms } from "./queries.ts";
import { keptDashboard } from "./rules.ts";

/** Gives somebody a role in the plant. It is theirs once they have answered the invitation that is mailed. Gives the account's id. */
export const addUser = (
  { db, clock, publicUrl }: Pick<World, "db" | "clock" | "publicUrl">,
  asked: Input<typeof users.add>,
  caller: Caller,
): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const now = clock.date();
    const { plantId } = caller;
    const given = { dashboardId: keptDashboard(asked.type, asked.dashboardId ?? null), alarmIds: asked.alarmIds ?? [] };
    if (!(await arePlants(trx, plantId, given))) throw notFound();
    const userId = await userToInvite(trx, asked, now);
    if (await accountOfUser(trx, plantId, userId)) throw conflict("This user has been added already");
    const member = { userId, plantId, roleType: asked.type as Role, dashboardId: given.dashboardId, called: asked };
    const accountId = await joinPlant(trx, member, now);
    await assignAlarms(trx, accountId, given.alarmIds);
    await mailInvitation(trx, { accountId, invitedBy: await inviterName(trx, caller.userId), publicUrl, now });
    const detail = { accountId, after: { email: asked.email, roleType: asked.type, ...given } };
    await audit(trx, { plantId, userId: caller.userId, action: "user.add", detail, now });
    return accountId;
  });
