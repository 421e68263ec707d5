import type { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import { expectDevice, expectedPage, serialPage } from "./expected.ts";
import { addKey, keyPage, revokeKey } from "./keys.ts";

export { createRegistration, type Registration } from "./registration.ts";

export const provisioningRoutes = (world: Pick<World, "db" | "clock">): Handlers<typeof provisioning> => ({
  list: (page, caller) => keyPage(world, caller, page),
  add: (input, caller) => addKey(world, input, caller),
  revoke: async ({ provisioningKeyId }, caller) => {
    await revokeKey(world, provisioningKeyId, caller);
    return null;
  },
  serials: (page, caller) => serialPage(world, caller, page),
  expected: (page, caller) => expectedPage(world, caller, page),
  expect: (input, caller) => expectDevice(world, input, caller),
});
