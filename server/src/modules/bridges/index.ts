import type { bridges } from "@telltale/contract/domains/readings/bridges";
import { addressOf, BrokerFault, brokerFault, connectBroker } from "../../bridges/index.ts";
import { conflict } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import type { World } from "../../world.ts";
import { addBridge, found, removeBridge, updateBridge } from "./change.ts";
import { bridgePage } from "./queries.ts";

/** Tests of a plant's bridges per window, in milliseconds. */
const limit = { most: 20, window: 300_000 };

type Needs = Pick<World, "db" | "pool" | "clock" | "node">;

/** Connects to the broker as a client of its own, and leaves; throws with the reason when that fails. */
const testBridge = async (
  { db }: Needs,
  isPrivateAllowed: boolean,
  bridgeId: number,
  caller: Caller,
): Promise<void> => {
  const bridge = await db.transaction().execute((trx) => found(trx, bridgeId, caller));
  const address = addressOf(bridge);
  // The running bridge has the client ID: a second client with it would end that connection.
  const asOther = { ...address, clientId: `${address.clientId}-test` };
  try {
    const broker = await connectBroker(asOther, { isPrivateAllowed, signal: new AbortController().signal });
    await broker.end();
  } catch (fault) {
    if (!(fault instanceof BrokerFault)) throw fault;
    throw conflict(`The test failed. ${brokerFault(fault.cause)}`);
  }
};

/** `isPrivateAllowed`: whether brokers may have addresses of private networks. */
export const bridgeRoutes = (world: Needs, isPrivateAllowed: boolean): Handlers<typeof bridges> => {
  const tests = createAttempts(world, "bridge tests", limit);
  return {
    list: (page, caller) => bridgePage(world, caller, page),
    add: (input, caller) => addBridge({ ...world, isPrivateAllowed }, input, caller),
    update: async (input, caller) => {
      await updateBridge({ ...world, isPrivateAllowed }, input, caller);
      return null;
    },
    test: async ({ bridgeId }, caller) => {
      await tests.count(String(caller.plantId));
      await testBridge(world, isPrivateAllowed, bridgeId, caller);
      return null;
    },
    remove: async ({ bridgeId }, caller) => {
      await removeBridge(world, bridgeId, caller);
      return null;
    },
  };
};
