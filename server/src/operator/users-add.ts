import { randomBytes } from "node:crypto";
import { commonPassword, shortestPassword } from "@telltale/contract/domains/people/person-fields";
import { Role, roleNames } from "@telltale/contract/permissions";
import { z } from "zod";
import {
  createAccount,
  createPlant,
  createUser,
  hashPassword,
  isCommonPassword,
  mailInvitation,
  saveInvitedNames,
  userByEmail,
} from "../modules/accounts/index.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { plantOf } from "./accounts.ts";
import type { Operator } from "./open.ts";
import type { Row } from "./print.ts";

export interface AddUser {
  email: string;
  password?: string;
  firstName?: string;
  lastName?: string;
  /** Creates a new plant that the user owns. */
  owner?: boolean;
  /** With `owner`: name of the new plant; otherwise the plant to join, if its owner has several. */
  plant?: string;
  /** E-mail of the owner whose plant the user joins. */
  ownerEmail?: string;
  role?: string;
  /** Mails an invitation to a plant instead of setting a password. */
  invite?: boolean;
}

/** Roles by their command line names. */
export const roleWords: Record<string, Role> = {
  admin: Role.admin,
  manager: Role.deviceManager,
  installer: Role.installer,
  viewer: Role.viewer,
};

const check = async ({ email, password, owner, ownerEmail, role, invite }: AddUser): Promise<void> => {
  if (!z.email().safeParse(email).success) throw new OperatorError(`${email} is no e-mail address`);
  if (password !== undefined && password.length < shortestPassword)
    throw new OperatorError("Password must be a minimum of 8 characters");
  if (password !== undefined && (await isCommonPassword(password))) throw new OperatorError(commonPassword);
  if (Boolean(owner) === Boolean(ownerEmail))
    throw new OperatorError("Give --owner for a plant of the user's own, or --plant-of EMAIL --role ROLE to join one");
  if (invite && (owner || password !== undefined))
    throw new OperatorError(
      "--invite needs --plant-of EMAIL --role ROLE, and no --password: the invited user chooses it",
    );
  if (ownerEmail && !(role && role in roleWords))
    throw new OperatorError(`--role is one of ${Object.keys(roleWords).join(", ")}`);
};

/** Finds or creates the user. An existing user keeps the password. */
const userFor = async (
  db: Database,
  asked: AddUser,
  now: Date,
): Promise<{ userId: number; password: string | null }> => {
  const known = await userByEmail(db, asked.email);
  if (known) {
    if (asked.password !== undefined)
      throw new OperatorError(`${asked.email} is a user already and keeps the password: leave --password out`);
    return { userId: known.user_id, password: null };
  }
  const { email, firstName = "", lastName = "" } = asked;
  const password = asked.invite ? null : (asked.password ?? randomBytes(12).toString("base64url"));
  const passwordHash = password === null ? null : await hashPassword(password);
  const userId = await createUser(db, { email: email.trim(), passwordHash, firstName, lastName }, now);
  return { userId, password };
};

interface Moment {
  now: Date;
  publicUrl: string;
}

const join = async (db: Database, asked: AddUser, userId: number, { now, publicUrl }: Moment): Promise<Role> => {
  if (asked.owner) {
    await createPlant(db, { userId, plantName: asked.plant ?? `Plant of ${asked.email}` }, now);
    return Role.owner;
  }
  const { plantId } = await plantOf(db, asked.ownerEmail ?? "", asked.plant);
  const is = await db
    .selectFrom("accounts")
    .select("account_id")
    .where("user_id", "=", userId)
    .where("plant_id", "=", plantId)
    .executeTakeFirst();
  if (is) throw new OperatorError(`${asked.email} has an account in this plant already`);
  const roleType = roleWords[asked.role ?? ""] ?? Role.viewer;
  const accountId = await createAccount(db, { userId, plantId, roleType, isActive: !asked.invite }, now);
  if (asked.invite) {
    await saveInvitedNames(db, accountId, {
      firstName: asked.firstName ?? "",
      lastName: asked.lastName ?? "",
      cellNumber: "",
    });
    await mailInvitation(db, { accountId, invitedBy: asked.ownerEmail ?? "", publicUrl, now });
  }
  return roleType;
};

/** Creates a user with a new plant, or with a role in an existing one. A generated password is returned once. */
export const addUser = async ({ db, clock, publicUrl }: Operator, asked: AddUser): Promise<Row[]> => {
  await check(asked);
  const now = clock.date();
  return db.transaction().execute(async (trx) => {
    const { userId, password } = await userFor(trx, asked, now);
    const role = await join(trx, asked, userId, { now, publicUrl });
    return [{ email: asked.email, role: roleNames[role], password: asked.password === undefined ? password : null }];
  });
};
