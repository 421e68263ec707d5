import type { firmware } from "@telltale/contract/domains/firmware";
import type { CallDevice } from "../../platform/device-calls.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { firmwareOf, firmwarePage } from "./list-queries.ts";
import { updateFirmware } from "./update.ts";

export const firmwareRoutes = (
  world: Pick<World, "db" | "clock" | "log">,
  callDevice: CallDevice,
): Handlers<typeof firmware> => ({
  list: (filter, caller) => firmwarePage(world.db, caller, filter, world.clock.date()),
  detail: async ({ deviceId }, caller) => {
    const row = await firmwareOf(world.db, caller, deviceId, world.clock.date());
    if (!row) throw notFound();
    return row;
  },
  update: async (input, caller) => {
    await updateFirmware({ ...world, callDevice }, input, caller);
    return null;
  },
});
