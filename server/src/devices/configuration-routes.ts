import type { deviceConfiguration } from "@telltale/contract/device-configuration";
import type { CallDevice } from "../device-calls.ts";
import type { Handlers } from "../http/mount.ts";
import type { World } from "../world.ts";
import { removeDevice } from "./remove.ts";
import { switchDevice } from "./switch.ts";
import { addThirdParty, checkThirdParty } from "./third-party.ts";
import { updateDevice } from "./update.ts";

export const deviceConfigurationRoutes = (
  world: Pick<World, "db" | "clock">,
  callDevice: CallDevice,
): Handlers<typeof deviceConfiguration> => {
  const needs = { ...world, callDevice };
  return {
    update: (asked, caller) => updateDevice(needs, asked, caller),
    updateStatus: async (asked, caller) => {
      await switchDevice(needs, asked, caller);
      return null;
    },
    remove: async ({ deviceId }, caller) => {
      await removeDevice(needs, deviceId, caller);
      return null;
    },
    addThirdParty: (asked, caller) => addThirdParty(needs, asked, caller),
    checkThirdParty: ({ deviceId }, caller) => checkThirdParty(needs, deviceId, caller),
  };
};
