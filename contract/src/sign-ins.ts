import { z } from "zod";
import { get, post } from "./call.ts";
import { page, pageQuery } from "./paging.ts";
import * as wire from "./wire.ts";

/** A browser or client that is signed in as this user. */
export const SignInRow = z.object({
  signInId: z.int(),
  /** The account in use there. */
  roleName: z.string(),
  alias: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdTime: wire.time(),
  usedTime: wire.time(),
  /** The one that asks. */
  isCurrent: z.boolean(),
});
export type SignInRow = z.output<typeof SignInRow>;

/** Support has looked at the plant. */
export const SupportViewRow = z.object({
  supportViewId: z.int(),
  /** The operator who made the link. */
  openedBy: z.string(),
  /** As whom the plant was looked at. */
  email: z.string(),
  address: z.string(),
  openedTime: wire.time(),
  /** When it ended, or will end. */
  endsTime: wire.time(),
});
export type SupportViewRow = z.output<typeof SupportViewRow>;

/** Where one is signed in, and who has looked. */
export const signIns = {
  list: get("/api/user/signIns", {
    access: "session",
    summary: "Where the user is signed in, the latest used first",
    result: z.array(SignInRow),
  }),
  end: post("/api/user/signIns/end", {
    access: "profile.write",
    summary: "Signs out there, at once",
    body: z.object({ signInId: wire.int() }),
    result: z.null(),
  }),
  endOthers: post("/api/user/signIns/endOthers", {
    access: "profile.write",
    summary: "Signs out everywhere but here",
    result: z.null(),
  }),
  supportViews: get("/api/user/supportViews", {
    access: "audit.read",
    summary: "When support has looked at the plant, and as whom, the latest first",
    query: z.object(pageQuery),
    result: page(SupportViewRow),
  }),
};
