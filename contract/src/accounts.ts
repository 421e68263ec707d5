import { z } from "zod";
import { get, post } from "./call.ts";
import * as wire from "./wire.ts";

/** A user's role in one plant. `isShow` is 1 for the account of this session. */
export const AccountRow = z.object({
  accountId: z.int(),
  accountNo: z.string(),
  alias: z.string(),
  firstAlias: z.string(),
  roleName: z.string(),
  roleType: z.int(),
  userId: z.int(),
  isShow: z.int(),
  parentAccountId: z.int().nullable(),
  /** Who invited. */
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
  hasInfo: z.boolean(),
  isAdmin: z.boolean(),
  accounts: z.array(AccountRow),
});
export type UserInfo = z.output<typeof UserInfo>;

const bothRequired = "Please enter username and password";

export const accounts = {
  login: post("/api/user/login", {
    access: "public",
    summary: "Signs in with e-mail and password",
    body: z.object({
      email: z.string({ error: bothRequired }).trim().min(1, { error: bothRequired }).max(254, { error: bothRequired }),
      password: z.string({ error: bothRequired }).min(1, { error: bothRequired }).max(1000, { error: bothRequired }),
      accountId: wire.int().optional(),
    }),
    result: UserInfo,
  }),
  info: get("/api/user/get/UserInfo", {
    access: "session",
    summary: "The signed-in user and the accounts",
    result: UserInfo,
  }),
  change: get("/api/user/switch/account", {
    access: "session",
    summary: "Goes on as another of the user's accounts, with a new token",
    query: z.object({ accountId: wire.int() }),
    result: UserInfo,
  }),
  signOut: post("/api/user/logout", {
    access: "session",
    summary: "Ends this token",
    result: z.null(),
  }),
  /** Opens a support token, once. (decisions §5) */
  openSupportView: get("/api/user/support", {
    access: "public",
    summary: "Exchanges a single-use support token for a read-only session of at most 60 minutes",
    query: z.object({ supportToken: z.string().min(1).max(200) }),
    result: UserInfo,
  }),
};
