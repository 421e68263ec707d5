import { z } from "zod";
import { get } from "../../call/call.ts";

/** Public facts about the server that the console needs before sign-in. */
export const site = {
  info: get("/api/site", {
    access: "public",
    summary:
      "Whether this is a demonstration with a visible outbox, whether purchases are possible, and how users sign in",
    result: z.object({
      hasOutbox: z.boolean(),
      hasPayments: z.boolean(),
      /** Name of the provider of single sign-on; null without one. */
      singleSignOn: z.string().nullable(),
      /** Whether users sign in with passwords. */
      hasPasswords: z.boolean(),
    }),
  }),
};
