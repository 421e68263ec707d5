import { Role } from "@telltale/contract/permissions";
import { createAccount, createPlant, createUser } from "../accounts/create.ts";
import { hashPassword } from "../accounts/password.ts";
import { provisionDevice } from "../devices/provision.ts";
import type { Database, World } from "../world.ts";
import { makeFirmware } from "./create-firmware.ts";
import { fillPlant } from "./create-plant.ts";
import { makeSmsCredit } from "./create-sms-credit.ts";
import { demonstrationPassword, hillside, riverside, unclaimed, users } from "./plants.ts";

/** The plants are older than their oldest device. */
const age = 700 * 86_400_000;

const createUsers = async (db: Database, since: Date): Promise<Map<Role, number>> => {
  const ids = new Map<Role, number>();
  const hashes = await Promise.all(users.map(() => hashPassword(demonstrationPassword)));
  for (const [i, { roleType, ...user }] of users.entries()) {
    const person = { ...user, passwordHash: hashes[i] ?? "", company: riverside.name, industry: "Utilities" };
    ids.set(roleType, await createUser(db, person, since));
  }
  return ids;
};

const userOf = (ids: Map<Role, number>, role: Role): number => {
  const id = ids.get(role);
  if (id === undefined) throw new Error(`The demonstration has no user of role ${role}`);
  return id;
};

const createRiverside = async (db: Database, people: Map<Role, number>, since: Date, now: Date): Promise<void> => {
  const { name: plantName, timeZoneId } = riverside;
  const plantId = await createPlant(db, { userId: userOf(people, Role.owner), plantName, timeZoneId }, since);
  const dashboards = await fillPlant(db, plantId, riverside, now);
  await makeSmsCredit(db, plantId, now);
  for (const roleType of [Role.admin, Role.deviceManager, Role.installer, Role.viewer]) {
    const dashboardId = roleType === Role.viewer ? (dashboards.get("Gate house") ?? null) : null;
    const member = { userId: userOf(people, roleType), plantId, roleType, alias: plantName, dashboardId };
    await createAccount(db, member, since);
  }
};

/** The device manager's own plant, where the owner of the first one helps out. */
const createHillside = async (db: Database, people: Map<Role, number>, since: Date, now: Date): Promise<void> => {
  const { name: plantName, timeZoneId } = hillside;
  const plantId = await createPlant(db, { userId: userOf(people, Role.deviceManager), plantName, timeZoneId }, since);
  await fillPlant(db, plantId, hillside, now);
  const member = { userId: userOf(people, Role.owner), plantId, roleType: Role.deviceManager, alias: plantName };
  await createAccount(db, member, since);
};

/** Creates the demonstration's plants, users and devices in a database without users. False when there are some. */
export const createDemonstration = ({ db, files, clock }: Pick<World, "db" | "files" | "clock">): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    if (await trx.selectFrom("users").select("user_id").limit(1).executeTakeFirst()) return false;
    const now = clock.date();
    const since = new Date(now.getTime() - age);
    const people = await createUsers(trx, since);
    await createRiverside(trx, people, since, now);
    await createHillside(trx, people, since, now);
    await makeFirmware({ db: trx, files }, now);
    for (const unit of unclaimed) await provisionDevice(trx, unit, since);
    return true;
  });
