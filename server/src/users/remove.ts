import { audit } from "../database/audit.ts";
import type { Caller } from "../http/caller.ts";
import { invalid, notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { assignAlarms, lockedAccount } from "./queries.ts";
import { removeComplaint } from "./rules.ts";

/** Takes an account out of the plant and ends its sessions. What it has confirmed keeps its name. */
export const removeUser = async (
  { db, bus, clock }: Pick<World, "db" | "bus" | "clock">,
  accountId: number,
  caller: Caller,
): Promise<void> => {
  const ended = await db.transaction().execute(async (trx) => {
    const target = await lockedAccount(trx, caller.plantId, accountId);
    if (!target) throw notFound();
    const complaint = removeComplaint({ caller, target: { accountId, roleType: target.role_type } });
    if (complaint) throw invalid(complaint);
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
