import type { signIns } from "@telltale/contract/sign-ins";
import { audit } from "../database/audit.ts";
import type { Caller } from "../http/caller.ts";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { endSignIns } from "./end-sign-ins.ts";
import { signInRows } from "./sign-in-queries.ts";
import { supportViews } from "./support-view-queries.ts";

type Ended = { signInId: number } | { exceptTokenHash: string };

export const signInRoutes = ({ db, bus, clock }: Pick<World, "db" | "bus" | "clock">): Handlers<typeof signIns> => {
  const end = async ({ userId, plantId }: Caller, which: Ended): Promise<number> => {
    const now = clock.date();
    const ended = await db.transaction().execute(async (trx) => {
      const hashes = await endSignIns(trx, { userId, ...which }, now);
      const detail = { count: hashes.length };
      if (hashes.length > 0) await audit(trx, { plantId, userId, action: "signIns.end", detail, now });
      return hashes;
    });
    for (const tokenHash of ended) bus.emit("signOut", { tokenHash });
    return ended.length;
  };
  return {
    list: (_input, { userId, tokenHash }) => signInRows(db, { userId, tokenHash, now: clock.date() }),
    end: async ({ signInId }, caller) => {
      if ((await end(caller, { signInId })) === 0) throw notFound();
      return null;
    },
    endOthers: async (_input, caller) => {
      await end(caller, { exceptTokenHash: caller.tokenHash });
      return null;
    },
    supportViews: (asked, { plantId }) => supportViews(db, plantId, asked),
  };
};
