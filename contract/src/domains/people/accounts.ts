import { z } from "zod";
import { get, post } from "../../call/call.ts";
import * as wire from "../../call/wire.ts";
import { Role } from "../../permissions.ts";
import { deviceIdField, namedField } from "../../text/text-fields.ts";
import {
  codeField,
  emailField,
  linkSecret,
  passwordField,
  repeatedPassword,
  timeZoneField,
  withRepeatedPassword,
} from "./person-fields.ts";
import { QuietHours } from "./quiet-hours.ts";

/** A user's role in one plant. `isShow` is 1 for the account of this session. */
export const AccountRow = z.object({
  accountId: z.int(),
  accountNo: z.string(),
  alias: z.string(),
  firstAlias: z.string(),
  roleName: z.string(),
  roleType: z.enum(Role),
  userId: z.int(),
  isShow: z.int(),
  parentAccountId: z.int().nullable(),
  /** The user who sent the invitation. */
  createdBy: z.string(),
});
export type AccountRow = z.output<typeof AccountRow>;

/** The signed-in user. */
export const UserInfo = z.object({
  token: z.string(),
  userId: z.int(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  company: z.string(),
  industry: z.string(),
  cellNumber: z.string(),
  avatar: z.string().nullable(),
  /** Hours in which the user is notified of urgent alerts only. */
  quietHours: QuietHours.nullable(),
  hasInfo: z.boolean(),
  isAdmin: z.boolean(),
  accounts: z.array(AccountRow),
  /** Index in `accounts` of the account of this session. */
  activeIndex: z.int(),
  /** ID of the device with which the user registered, or opened the account of this session; empty for none. */
  telltaleSnId: z.string(),
});
export type UserInfo = z.output<typeof UserInfo>;

/** Input for the first owner. `timeZoneId` comes from the browser; the plant's devices use it for their days. */
const FirstOwner = z.object({
  secret: linkSecret("The link is incomplete: open the complete link that the server printed"),
  email: emailField("Please enter a valid email address"),
  plantName: namedField("Plant name cannot be blank"),
  password: passwordField("Password must be a minimum of 8 characters"),
  confirmPassword: repeatedPassword,
  timeZoneId: timeZoneField,
});

const bothRequired = "Please enter username and password";

export const accounts = {
  login: post("/api/user/login", {
    access: "public",
    summary: "Signs in with e-mail and password",
    body: z.object({
      email: z.string({ error: bothRequired }).trim().min(1, { error: bothRequired }).max(254, { error: bothRequired }),
      password: z.string({ error: bothRequired }).min(1, { error: bothRequired }).max(1000, { error: bothRequired }),
      accountId: wire.int().optional(),
      /** Required after code 428, when the user has a second factor. */
      code: codeField.optional(),
    }),
    result: UserInfo,
  }),
  info: get("/api/user/get/UserInfo", {
    access: "session",
    summary: "The signed-in user with its accounts",
    result: UserInfo,
  }),
  change: get("/api/user/switch/account", {
    access: "session",
    summary: "Switches to another of the user's accounts; returns a new token",
    query: z.object({ accountId: wire.int() }),
    result: UserInfo,
  }),
  openAccount: get("/api/register/activate", {
    access: "accounts.create",
    summary:
      "Opens a new admin account of the signed-in user, reserved for an unclaimed main device, with a token for it. Idempotent",
    query: z.object({ type: wire.int().default(1), deviceSnId: deviceIdField() }),
    result: z.object({ token: z.string(), accountId: z.int() }),
  }),
  signOut: post("/api/user/logout", {
    access: "session",
    summary: "Ends this token",
    result: z.null(),
  }),
  /** Sets up a server that has no users. (decisions §6) */
  createFirstOwner: post("/api/setup/owner", {
    access: "public",
    summary:
      "Creates the first owner and a plant with the single-use link that a server without users prints; signs in",
    body: withRepeatedPassword(FirstOwner, "password", "confirmPassword"),
    result: UserInfo,
  }),
  /** Redeems a support token, once. (decisions §5) */
  openSupportView: get("/api/user/support", {
    access: "public",
    summary: "Exchanges a single-use support token for a read-only session of at most 60 minutes",
    query: z.object({
      supportToken: linkSecret("The support link is incomplete: open the complete link you were given"),
    }),
    result: UserInfo,
  }),
};
