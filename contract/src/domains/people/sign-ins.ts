import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { ifMissing } from "../../text/text-fields.ts";
import { codeField } from "./person-fields.ts";

const noPassword = "Current password cannot be blank";
const password = z
  .string({ error: ifMissing(noPassword) })
  .min(1, { error: noPassword })
  .max(1000);

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Second factor: time-based codes of an authenticator app (RFC 6238), with single-use recovery codes. */
export const secondFactor = {
  state: get("/api/user/secondFactor", {
    access: "session",
    summary: "Whether sign-in requires a code, and the number of recovery codes left",
    result: z.object({ isOn: z.boolean(), recoveryCodesLeft: z.int() }),
  }),
  begin: post("/api/user/secondFactor/begin", {
    access: "profile.write",
    summary: "A new secret for an authenticator app; it takes effect when `turnOn` receives a code made with it",
    body: z.object({ password }),
    result: z.object({ secret: z.string(), uri: z.string() }),
  }),
  turnOn: post("/api/user/secondFactor/turnOn", {
    access: "profile.write",
    summary: "Turns the second factor on; returns the recovery codes, which are shown only once",
    body: z.object({ code: codeField }),
    result: RecoveryCodes,
  }),
  turnOff: post("/api/user/secondFactor/turnOff", {
    access: "profile.write",
    summary: "Turns the second factor off",
    body: z.object({ password, code: codeField }),
    result: z.null(),
  }),
  renewRecoveryCodes: post("/api/user/secondFactor/recoveryCodes", {
    access: "profile.write",
    summary: "Creates new recovery codes; the old ones become invalid",
    body: z.object({ password, code: codeField }),
    result: RecoveryCodes,
  }),
};

/** A browser or client in which this user is signed in. */
export const SignInRow = z.object({
  signInId: z.int(),
  /** Role of the current account in that session. */
  roleName: z.string(),
  alias: z.string(),
  address: z.string(),
  userAgent: z.string(),
  createdTime: wire.time(),
  usedTime: wire.time(),
  /** Signed in through the provider of single sign-on. */
  isBySso: z.boolean(),
  /** The session that makes this call. */
  isCurrent: z.boolean(),
});
export type SignInRow = z.output<typeof SignInRow>;

/** A support view of the plant. */
export const SupportViewRow = z.object({
  supportViewId: z.int(),
  /** The operator who created the link. */
  openedBy: z.string(),
  /** The user that support viewed as. */
  email: z.string(),
  address: z.string(),
  openedTime: wire.time(),
  /** When it ended or will end. */
  endsTime: wire.time(),
});
export type SupportViewRow = z.output<typeof SupportViewRow>;

/** The user's sessions, and the plant's support views. */
export const signIns = {
  list: get("/api/user/signIns", {
    access: "session",
    summary: "The user's sessions, most recently used first",
    result: z.array(SignInRow),
  }),
  end: post("/api/user/signIns/end", {
    access: "profile.write",
    summary: "Ends one of the user's sessions at once",
    body: z.object({ signInId: wire.int() }),
    result: z.null(),
  }),
  endOthers: post("/api/user/signIns/endOthers", {
    access: "profile.write",
    summary: "Ends all of the user's sessions except this one",
    result: z.null(),
  }),
  supportViews: get("/api/user/supportViews", {
    access: "audit.read",
    summary: "Support views of the plant with the user that support viewed as, newest first",
    query: z.object(pageQuery),
    result: page(SupportViewRow),
  }),
};
