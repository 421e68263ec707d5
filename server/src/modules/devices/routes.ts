import type { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import type { devices } from "@telltale/contract/domains/devices";
import type { CallDevice } from "../../platform/device-calls.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createGuessLimit } from "../../platform/limits/guess-limit.ts";
import type { World } from "../../world.ts";
import { claimUnit } from "./claim/claim.ts";
import { freeUnit } from "./claim/claim-queries.ts";
import { addThirdParty, checkThirdParty } from "./claim/third-party.ts";
import { switchDevice } from "./configure/switch.ts";
import { updateDevice } from "./configure/update.ts";
import { deviceList } from "./list.ts";
import { deviceHeader, deviceOnScreen } from "./queries.ts";
import { removeDevice } from "./remove/remove.ts";
import { rangeError } from "./rules.ts";

export const deviceConfigurationRoutes = (
  world: Pick<World, "db" | "clock">,
  callDevice: CallDevice,
): Handlers<typeof deviceConfiguration> => {
  const needs = { ...world, callDevice };
  return {
    update: (input, caller) => updateDevice(needs, input, caller),
    updateStatus: async (input, caller) => {
      await switchDevice(needs, input, caller);
      return null;
    },
    remove: async ({ deviceId }, caller) => {
      await removeDevice(needs, deviceId, caller);
      return null;
    },
    addThirdParty: (input, caller) => addThirdParty(needs, input, caller),
    checkThirdParty: ({ deviceId }, caller) => checkThirdParty(needs, deviceId, caller),
  };
};

export const deviceRoutes = (
  world: Pick<World, "db" | "pool" | "clock" | "node" | "closed">,
): Handlers<typeof devices> => {
  const { db, clock } = world;
  const limited = createGuessLimit(world, "device IDs");
  return {
    list: async (filter, caller) => {
      const validationError = rangeError(filter);
      if (validationError) throw invalid(validationError);
      return deviceList(db, caller, filter, clock.date());
    },
    onDashboard: (page, caller) => deviceList(db, caller, page, clock.date()),
    detail: async ({ deviceId }, caller) => {
      const found = await deviceOnScreen(db, caller, deviceId, clock.date());
      if (!found) throw notFound();
      return found;
    },
    header: async ({ deviceId }, caller) => {
      const header = await deviceHeader(db, caller, deviceId, clock.date());
      if (!header) throw notFound();
      return header;
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
    add: async (input, caller) => {
      const { deviceId } = await limited(caller, () => claimUnit(world, input, caller, clock.date()));
      return { deviceId };
    },
  };
};
