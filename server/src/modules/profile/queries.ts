import type { Input } from "@telltale/contract/call/call";
import { avatarName, type profile } from "@telltale/contract/domains/people/profile";
import type { QuietHours } from "@telltale/contract/domains/people/quiet-hours";
import { Role } from "@telltale/contract/permissions";
import { audit } from "../../platform/database/audit.ts";
import type { Database } from "../../platform/database/schema/schema.ts";
import { invalid, notFound } from "../../platform/http/api-error.ts";
import type { Caller } from "../../platform/http/caller.ts";
import { dropOtherAvatars, isOwnAvatar } from "./avatar.ts";

type Fields = Partial<Omit<Input<typeof profile.update>, "originalPwd" | "newPwd" | "confirmPwd">>;

/** Columns of `users` by field. */
const columns = {
  company: "company",
  industry: "industry",
  firstName: "first_name",
  lastName: "last_name",
  cellNumber: "cell_number",
} as const;

/** The fields that have a column. */
const personFields = [
  "company",
  "industry",
  "firstName",
  "lastName",
  "cellNumber",
] as const satisfies readonly (keyof typeof columns)[];

const savePerson = async (db: Database, userId: number, fields: Fields): Promise<void> => {
  const given = personFields.flatMap((field) => {
    const value = fields[field];
    return value === undefined ? [] : [[columns[field], value] as const];
  });
  if (given.length === 0) return;
  await db.updateTable("users").set(Object.fromEntries(given)).where("user_id", "=", userId).execute();
};

/** Sets the avatar, which must be an upload of the user's own; removes the previous one. */
const saveAvatar = async (db: Database, userId: number, address: string): Promise<void> => {
  const name = avatarName(address);
  if (name === undefined || !(await isOwnAvatar(db, userId, name))) throw invalid("Please upload a profile photo");
  await db.updateTable("users").set({ avatar: name }).where("user_id", "=", userId).execute();
  await dropOtherAvatars(db, userId, name);
};

/** Names one of the user's accounts, and its plant if the user owns it. */
export const saveAlias = async (
  db: Database,
  { userId, accountId, alias, now }: { userId: number; accountId: number; alias: string; now: Date },
): Promise<void> => {
  const account = await db
    .updateTable("accounts")
    .set({ alias })
    .where("account_id", "=", accountId)
    .where("user_id", "=", userId)
    .where("activate", "=", true)
    .returning(["plant_id", "role_type"])
    .executeTakeFirst();
  if (!account) throw notFound();
  const { plant_id: plantId } = account;
  if (account.role_type === Role.owner) {
    await db.updateTable("plants").set({ name: alias }).where("plant_id", "=", plantId).execute();
  }
  await audit(db, { plantId, userId, action: "account.alias", detail: { accountId, alias }, now });
};

/** Renames plants that still carry their owner's address from the registration. */
export const namePlantsAfterCompany = async (
  db: Database,
  userId: number,
  company: string,
  now: Date,
): Promise<void> => {
  const unnamed = await db
    .selectFrom("accounts as a")
    .innerJoin("plants as p", "p.plant_id", "a.plant_id")
    .innerJoin("users as u", "u.user_id", "a.user_id")
    .select("a.account_id")
    .where("a.user_id", "=", userId)
    .where("a.role_type", "=", Role.owner)
    .whereRef("p.name", "=", "u.email")
    .execute();
  for (const { account_id: accountId } of unnamed) await saveAlias(db, { userId, accountId, alias: company, now });
};

const saveQuietHours = async (db: Database, userId: number, hours: QuietHours | null): Promise<void> => {
  const columns = {
    quiet_from: hours?.from ?? null,
    quiet_to: hours?.to ?? null,
    quiet_zone: hours?.timeZoneId ?? null,
  };
  await db.updateTable("users").set(columns).where("user_id", "=", userId).execute();
};

/** Saves the given fields; others stay unchanged. Call in a transaction. */
export const saveProfile = async (db: Database, caller: Caller, fields: Fields, now: Date): Promise<void> => {
  const { userId, plantId, accountId } = caller;
  const { avatar, firstAlias, quietHours } = fields;
  await savePerson(db, userId, fields);
  if (avatar !== undefined) await saveAvatar(db, userId, avatar);
  if (quietHours !== undefined) await saveQuietHours(db, userId, quietHours);
  if (firstAlias !== undefined) await saveAlias(db, { userId, accountId, alias: firstAlias, now });
  const changed = [...personFields, "avatar" as const, "quietHours" as const].filter(
    (name) => fields[name] !== undefined,
  );
  if (changed.length > 0) await audit(db, { plantId, userId, action: "profile.update", detail: { changed }, now });
};
