import type { joint } from "@telltale/contract/domains/joint";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { editJoint, enableJoint, removeJoint } from "./change.ts";
import { jointInfo, jointLog, jointPage } from "./queries.ts";
import { jointOutputs, jointSources } from "./source-queries.ts";

export const jointRoutes = (world: Pick<World, "db" | "bus" | "clock">): Handlers<typeof joint> => {
  const { db } = world;
  const found = async (plantId: number, jointId: number) => {
    const row = await jointInfo(db, plantId, jointId);
    if (!row) throw notFound();
    return row;
  };
  return {
    list: (filter, caller) => jointPage(db, caller.plantId, filter),
    info: ({ jointId }, caller) => found(caller.plantId, jointId),
    log: async (filter, caller) => {
      await found(caller.plantId, filter.jointId);
      return jointLog(db, filter);
    },
    sources: (filter, caller) => jointSources(db, caller.plantId, filter),
    outputs: (filter, caller) => jointOutputs(db, caller.plantId, filter),
    edit: async (input, caller) => ({ jointId: await editJoint(world, input, caller) }),
    enable: async (input, caller) => {
      await enableJoint(world, input, caller);
      return null;
    },
    remove: async ({ jointId }, caller) => {
      await removeJoint(world, jointId, caller);
      return null;
    },
  };
};
