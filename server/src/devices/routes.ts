import type { devices } from "@telltale/contract/devices";
import { createGuessLimit } from "../http/guess-limit.ts";
import type { Handlers } from "../http/mount.ts";
import { invalid, notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { claimUnit } from "./claim.ts";
import { freeUnit } from "./claim-queries.ts";
import { deviceList } from "./list-queries.ts";
import { deviceOnScreen } from "./queries.ts";
import { rangeComplaint } from "./rules.ts";

export const deviceRoutes = (world: Pick<World, "db" | "clock" | "closed">): Handlers<typeof devices> => {
  const { db, clock } = world;
  const limited = createGuessLimit(clock);
  return {
    list: async (filter, caller) => {
      const complaint = rangeComplaint(filter);
      if (complaint) throw invalid(complaint);
      return deviceList(db, caller, filter, clock.date());
    },
    onDashboard: (page, caller) => deviceList(db, caller, page, clock.date()),
    detail: async ({ deviceId }, caller) => {
      const found = await deviceOnScreen(db, caller, deviceId, clock.date());
      if (!found) throw notFound();
      return found;
    },
    lookUp: async ({ deviceSnId }, caller) => {
      const unit = await limited(caller, () => freeUnit(world, deviceSnId));
      return {
        deviceSn: unit.device_sn,
        deviceSnId: unit.device_sn_id,
        deviceType: unit.device_type,
        typeId: unit.type_id,
      };
    },
    add: async (asked, caller) => {
      const { deviceId } = await limited(caller, () => claimUnit(world, asked, caller, clock.date()));
      return { deviceId };
    },
  };
};
