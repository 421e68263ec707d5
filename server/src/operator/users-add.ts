import { randomBytes } from "node:crypto";
import { commonPassword, shortestPassword } from "@telltale/contract/domains/people/person-fields";
import { Role, roleNames } from "@telltale/contract/permissions";
import { z } from "zod";
import {
  accountOfUser,
  createPlant,
  createUser,
  hashPassword,
  isCommonPassword,
  joinPlant,
  mailInvitation,
  userByEmail,
} from "../modules/accounts/index.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { OperatorError } from "../platform/operator-error.ts";
import { ownedPlants, plantOf } from "./accounts.ts";
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
export const rolesByLabel: Record<string, Role> = {
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
  if (ownerEmail && !(role && role in rolesByLabel))
    throw new OperatorError(`--role is one of ${Object.keys(rolesByLabel).join(", ")}`);
};

/** Finds or creates the user. An existing user keeps the password. */
const userFor = async (
  db: Database,
  options: AddUser,
  now: Date,
): Promise<{ userId: number; password: string | null }> => {
  const known = await userByEmail(db, options.email);
  if (known) {
    if (options.password !== undefined)
      throw new OperatorError(`${options.email} is a user already and keeps the password: leave --password out`);
    return { userId: known.user_id, password: null };
  }
  const { email, firstName = "", lastName = "" } = options;
  const password = options.invite ? null : (options.password ?? randomBytes(12).toString("base64url"));
  const passwordHash = password === null ? null : await hashPassword(password);
  const userId = await createUser(db, { email: email.trim(), passwordHash, firstName, lastName }, now);
  return { userId, password };
};

interface Moment {
  now: Date;
  publicUrl: string;
}

const join = async (db: Database, options: AddUser, userId: number, { now, publicUrl }: Moment): Promise<Role> => {
  if (options.owner) {
    const plantName = options.plant ?? `Plant of ${options.email}`;
    // A second run of the same command would make a second plant that nobody can tell from the first.
    if ((await ownedPlants(db, userId)).some(({ name }) => name === plantName))
      throw new OperatorError(`${options.email} owns a plant ${plantName} already: name a further one with --plant`);
    await createPlant(db, { userId, plantName }, now);
    return Role.owner;
  }
  const { plantId } = await plantOf(db, options.ownerEmail ?? "", options.plant);
  if (await accountOfUser(db, plantId, userId))
    throw new OperatorError(`${options.email} has an account in this plant already`);
  const roleType = rolesByLabel[options.role ?? ""] ?? Role.viewer;
  const { firstName = "", lastName = "" } = options;
  const called = { firstName, lastName, cellNumber: "" };
  const accountId = await joinPlant(db, { userId, plantId, roleType, dashboardId: null, called }, now);
  if (options.invite) await mailInvitation(db, { accountId, invitedBy: options.ownerEmail ?? "", publicUrl, now });
  else await db.updateTable("accounts").set({ activate: true }).where("account_id", "=", accountId).execute();
  return roleType;
};

/** Creates a user with a new plant, or with a role in an existing one. A generated password is returned once. */
export const addUser = async ({ db, clock, publicUrl }: Operator, options: AddUser): Promise<Row[]> => {
  await check(options);
  const now = clock.date();
  return db.transaction().execute(async (trx) => {
    const { userId, password } = await userFor(trx, options, now);
    const role = await join(trx, options, userId, { now, publicUrl });
    return [
      { email: options.email, role: roleNames[role], password: options.password === undefined ? password : null },
    ];
  });
};
