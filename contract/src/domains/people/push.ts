import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";

/** Most browsers of an account that get its alerts. */
export const maxPushBrowsers = 10;

/** A browser that gets the alerts of the account as push messages. */
export const PushBrowser = z.object({
  pushId: z.int(),
  userAgent: z.string(),
  createdTime: wire.time(),
  /** When the push service last accepted a message; null: not yet. */
  sentTime: wire.time().nullable(),
  /** The browser of the session that makes this call. */
  isCurrent: z.boolean(),
});
export type PushBrowser = z.output<typeof PushBrowser>;

const incomplete = "The browser's subscription is incomplete: switch its pushes off and on again";

const endpoint = z
  .string({ error: incomplete })
  .max(1000, { error: incomplete })
  .refine(URL.canParse, { error: incomplete });

/** A value of so many bytes as base64url. */
const bytes = (count: number) =>
  z.string({ error: incomplete }).regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}=*$`), { error: incomplete });

/** Alerts as push messages to browsers, of the current account. (RFC 8030, 8291, 8292) */
export const push = {
  list: get("/api/push/list", {
    access: "session",
    summary: "The browsers that get the account's alerts, and the server's public key, which a browser subscribes with",
    result: z.object({ publicKey: z.string(), browsers: z.array(PushBrowser) }),
  }),
  subscribe: post("/api/push/subscribe", {
    access: "profile.write",
    summary:
      "Subscribes this browser to the account's alerts, at a known push service; ends subscriptions of other users there",
    encoding: "json",
    body: z.object({ endpoint, p256dh: bytes(65), auth: bytes(16) }),
    result: z.object({ pushId: z.int() }),
  }),
  resume: post("/api/push/resume", {
    access: "profile.write",
    summary:
      "Ties the browser's subscription to this session, and ends those of other users there: a browser belongs to whoever has signed in last",
    encoding: "json",
    body: z.object({ endpoint }),
    result: z.object({ isSubscribed: z.boolean() }),
  }),
  remove: post("/api/push/delete", {
    access: "profile.write",
    summary: "Ends a browser's subscription",
    encoding: "json",
    body: z.object({ pushId: z.int32() }),
    result: z.null(),
  }),
};
