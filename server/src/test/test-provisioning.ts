import type { Input } from "@telltale/contract/call/call";
import { Model } from "@telltale/contract/domains/devices";
import type { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { addKey } from "../modules/provisioning/keys.ts";
import type { World } from "../world.ts";
import type { Person } from "./test-people.ts";

/** A key with which devices of the owner's plant register themselves; analog ones if `wanted` does not say otherwise. */
export const aProvisioningKey = (
  world: Pick<World, "db" | "clock">,
  owner: Pick<Person, "plantId" | "userId" | "accountId">,
  wanted: Partial<Input<typeof provisioning.add>> = {},
) => {
  const expireTime = new Date(world.clock.now() + 86_400_000);
  const input = { keyName: "Line 4", model: Model.analog, deviceLimit: 300, expireTime, ...wanted };
  const caller = { address: "192.0.2.1", userAgent: "test", roleType: 1, isAdmin: false, dashboardId: null } as const;
  return addKey(world, input, { ...caller, ...owner, token: "", tokenHash: "" });
};
