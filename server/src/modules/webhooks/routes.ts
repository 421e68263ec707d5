import type { webhooks } from "@telltale/contract/domains/alerting/webhooks";
import type { Handlers } from "../../platform/http/mount.ts";
import { createAttempts } from "../../platform/limits/create-attempts.ts";
import type { World } from "../../world.ts";
import { addWebhook, removeWebhook, rotateSecret, testWebhook, updateWebhook } from "./change.ts";
import { webhookPage } from "./queries.ts";

/** Tests of a plant's webhooks per window, in milliseconds. */
const limit = { most: 20, window: 300_000 };

type Needs = Pick<World, "db" | "pool" | "clock" | "node" | "publicUrl">;

/** `privateWebhooks`: whether they may have addresses of private networks. */
export const webhookRoutes = (world: Needs, privateWebhooks: boolean): Handlers<typeof webhooks> => {
  const needs = { ...world, privateWebhooks };
  const tests = createAttempts(world, "webhook tests", limit);
  return {
    list: (page, caller) => webhookPage(world.db, caller, page),
    add: (input, caller) => addWebhook(needs, input, caller),
    update: async (input, caller) => {
      await updateWebhook(needs, input, caller);
      return null;
    },
    rotate: ({ webhookId }, caller) => rotateSecret(world, webhookId, caller),
    test: async ({ webhookId }, caller) => {
      await tests.count(String(caller.plantId));
      await testWebhook(needs, webhookId, caller);
      return null;
    },
    remove: async ({ webhookId }, caller) => {
      await removeWebhook(world, webhookId, caller);
      return null;
    },
  };
};
