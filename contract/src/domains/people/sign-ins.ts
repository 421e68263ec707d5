import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { ifMissing } from "../../text/text-fields.ts";

const noPassword = "Current password cannot be blank";
const password = z
  .string({ error: ifMissing(noPassword) })
  .min(1, { error: noPassword })
  .max(1000);

const noCode = "Enter the code of your authenticator app";
/** Six digits of the app, or a recovery code of ten letters and digits; blanks and dashes in it do not matter. */
export const codeField = z
  .string({ error: noCode })
  .trim()
  .max(40, { error: noCode })
  .regex(/^(\d([\s-]*\d){5}|[a-z2-7]([\s-]*[a-z2-7]){9})$/i, { error: noCode });

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** A second factor: time-based codes of an authenticator app (RFC 6238), with recovery codes that work once each. */
export const secondFactor = {
  state: get("/api/user/secondFactor", {
    access: "session",
    summary: "Whether a code is asked for at sign-in, and how many recovery codes are left",
    result: z.object({ isOn: z.boolean(), recoveryCodesLeft: z.int() }),
  }),
  begin: post("/api/user/secondFactor/begin", {
    access: "profile.write",
    summary: "A new secret for an authenticator app; it counts once a code of it was given to turnOn",
    body: z.object({ password }),
    result: z.object({ secret: z.string(), uri: z.string() }),
  }),
  turnOn: post("/api/user/secondFactor/turnOn", {
    access: "profile.write",
    summary: "Asks for codes from now on; gives the recovery codes, once",
    body: z.object({ code: codeField }),
    result: RecoveryCodes,
  }),
  turnOff: post("/api/user/secondFactor/turnOff", {
    access: "profile.write",
    summary: "Asks for codes no longer",
    body: z.object({ password, code: codeField }),
    result: z.null(),
  }),
  renewRecoveryCodes: post("/api/user/secondFactor/recoveryCodes", {
    access: "profile.write",
    summary: "New recovery codes; the old ones end",
    body: z.object({ password, code: codeField }),
    result: RecoveryCodes,
  }),
};

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
