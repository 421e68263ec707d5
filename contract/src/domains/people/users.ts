import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { page, pageQuery } from "../../call/paging.ts";
import * as wire from "../../call/wire.ts";
import { Role } from "../../permissions.ts";
import { personNameField } from "../../text/text-fields.ts";
import { emailField } from "./person-fields.ts";

/** Whether a user may sign in; inactive until the invitation is accepted. */
export const UserStatus = { inactive: 0, active: 1 } as const;
export type UserStatus = (typeof UserStatus)[keyof typeof UserStatus];
export const userStatusLabels: Record<UserStatus, string> = { 0: "Inactive", 1: "Active" };

/** Roles that can be assigned; the owner's cannot. (spec 2 §6) */
export const assignableRoles = [Role.admin, Role.deviceManager, Role.installer, Role.viewer] as const;

/** An account of the plant with its user. `parentAccountId` is the plant's own account, with which it was opened. */
export const UserRow = z.object({
  accountId: z.int(),
  parentAccountId: z.int(),
  userEmail: z.string(),
  cellNumber: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  roleType: z.enum(Role),
  roleName: z.string(),
  activate: z.int(),
  createdTime: wire.time(),
  loginTime: wire.time().nullable(),
  /** The dashboard assigned to a viewer; null means the plant's default. */
  dashboardId: z.int().nullable(),
  /** Assigned alerts, joined by commas. */
  alarmIds: wire.commaList(wire.int()),
  /** Number of channels that the user can see, and of assigned alerts. */
  channelNum: z.int(),
  alarmNum: z.int(),
  /** Incremented by every change: see `edit`. */
  version: z.int(),
});
export type UserRow = z.output<typeof UserRow>;

const chooseType = "Please select a User Type";
const wrongNumber = "Enter the number";

// Without a default, which would also stand for a number that an edit leaves out.
const cellNumber = z
  .string({ error: wrongNumber })
  .trim()
  .regex(/^\d{0,11}$/, { error: wrongNumber });
const noEmail = "Email address cannot be blank";
const email = z
  .string({ error: noEmail })
  .trim()
  .min(1, { error: noEmail })
  .pipe(emailField("Enter the correct email address"));
const type = z
  .literal(assignableRoles, { error: chooseType })
  .describe(wire.namesText(wire.only(Role, assignableRoles)));

/** -1 means none, as the specification sends it. (spec 2 §6) */
const dashboardId = z.int32({ error: "Choose a dashboard" }).optional();
const alarmIds = wire.commaList(wire.int("Choose alerts from the list")).optional();

const Added = z.object({
  firstName: personNameField("First name cannot be blank"),
  lastName: personNameField("Last name cannot be blank"),
  email,
  type,
  cellNumber: cellNumber.default(""),
  dashboardId,
  alarmIds,
});

/**
 * Fields left out stay unchanged. `email` is accepted only as it is; names and number change only until the user has joined. `version` is the one
 * the client read: if it has changed since, nothing is saved (409).
 */
const Edited = z.object({
  accountId: z.int32(),
  email: email.optional(),
  firstName: personNameField("First name cannot be blank").optional(),
  lastName: personNameField("Last name cannot be blank").optional(),
  type: type.optional(),
  cellNumber: cellNumber.optional(),
  dashboardId,
  alarmIds,
  version: z.int32().optional(),
});

const times = {
  createdStartTime: wire.rangeStart().optional(),
  createdEndTime: wire.rangeEnd().optional(),
  loginStartTime: wire.rangeStart().optional(),
  loginEndTime: wire.rangeEnd().optional(),
};

/** The plant's users. (spec 2 §2, §5, §7) */
export const users = {
  list: get("/api/user/list", {
    access: "users.read",
    summary: "The plant's users by role, owners first, and within a role in the order they were added",
    query: z.object({
      ...pageQuery,
      activate: wire.list(wire.anyOf(UserStatus)).optional(),
      name: wire.text().optional(),
      userEmail: wire.text().optional(),
      phone: wire.text().optional(),
      roleType: wire.list(wire.anyOf(Role)).optional(),
      ...times,
    }),
    result: page(UserRow),
  }),
  add: post("/api/user/add/user", {
    access: "users.write",
    summary: "Adds a user with a role and mails an invitation, which the user has to accept first",
    encoding: "json",
    body: Added,
    result: z.object({ accountId: z.int() }),
  }),
  edit: post("/api/user/edit/user", {
    access: "users.write",
    summary:
      "Changes a user's role, dashboard and alerts, at once and in open sessions too; name and number until the user joins. An owner only as an owner; the plant's own account keeps its role",
    encoding: "json",
    body: Edited,
    result: z.null(),
  }),
  invite: post("/api/user/invite", {
    access: "users.write",
    summary: "Mails the invitation again to a user who has not accepted it",
    body: z.object({ accountId: wire.int() }),
    result: z.null(),
  }),
  remove: get("/api/user/delete", {
    access: "users.write",
    summary:
      "Removes a user from the plant and ends the user's sessions there; not the caller or the plant's own account, and another owner only as an owner",
    query: z.object({ accountId: wire.int() }),
    result: z.null(),
  }),
};
