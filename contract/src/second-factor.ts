import { z } from "zod";
import { get, post } from "./call.ts";
import { ifMissing } from "./text-fields.ts";

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
