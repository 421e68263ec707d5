import { Readable } from "node:stream";
import { avatarAddress, type profile } from "@telltale/contract/domains/people/profile";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { changePassword, createPasswordConfirmation, readyPassword } from "../accounts/index.ts";
import { avatarContent, keepAvatar } from "./avatar.ts";
import { squarePicture } from "./picture.ts";
import { namePlantsAfterCompany, saveAlias, saveProfile } from "./queries.ts";

export const profileRoutes = (
  world: Pick<World, "db" | "pool" | "bus" | "clock" | "node" | "publicUrl" | "passwords">,
): Handlers<typeof profile> => {
  const { db, bus, clock } = world;
  const confirmPassword = createPasswordConfirmation(world);
  return {
    introduce: async (fields, caller) => {
      const now = clock.date();
      await db.transaction().execute(async (trx) => {
        await saveProfile(trx, caller, fields, now);
        await namePlantsAfterCompany(trx, caller.userId, fields.company, now);
      });
      return null;
    },
    update: async ({ originalPwd, newPwd, confirmPwd: _repeated, ...fields }, caller) => {
      const password =
        newPwd === undefined ? undefined : await readyPassword(confirmPassword, caller, originalPwd ?? "", newPwd);
      const now = clock.date();
      const ended = await db.transaction().execute(async (trx) => {
        await saveProfile(trx, caller, fields, now);
        return password ? changePassword(trx, world, caller, password) : [];
      });
      for (const tokenHash of ended) bus.emit("signOut", { tokenHash });
      return null;
    },
    changeAlias: async ({ accountId, alias }, { userId }) => {
      const now = clock.date();
      await db.transaction().execute((trx) => saveAlias(trx, { userId, accountId, alias, now }));
      return null;
    },
    upload: async ({ file }, { userId }) => {
      const content = await squarePicture(userId, file);
      const name = await db.transaction().execute((trx) => keepAvatar(trx, userId, content, clock.date()));
      return avatarAddress(name) ?? "";
    },
    avatar: async ({ name }) => {
      const content = await avatarContent(db, name);
      if (!content) throw notFound("There is no such picture");
      return { name: "photo.webp", content: Readable.from([content]), isLasting: true };
    },
  };
};
