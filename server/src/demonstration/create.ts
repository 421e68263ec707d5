import { Role } from "@telltale/contract/permissions";
import { createAccount, createPlant, createUser, hashPassword } from "../modules/accounts/index.ts";
import { provisionDevice } from "../modules/devices/index.ts";
import { audit } from "../platform/database/audit.ts";
import type { Database } from "../platform/database/schema/schema.ts";
import { lockFirstStart } from "../platform/node/first-start.ts";
import type { World } from "../world.ts";
import type { PlantDraft } from "./create/create-devices.ts";
import { makeFirmware } from "./create/create-firmware.ts";
import { makeOrders } from "./create/create-orders.ts";
import { fillPlant } from "./create/create-plant.ts";
import { recordPastPending } from "./past/past-queries.ts";
import { after, createMoments, type Moment, type Moments } from "./plants/moments.ts";
import { holderOf, type PlantUser } from "./plants/people.ts";
import type { PlannedPlant, PlannedUser } from "./plants/plan.ts";
import { demonstrationPassword, hillside, riverside, unclaimed, users } from "./plants/plants.ts";

/** When the operator created the unclaimed units. */
const unclaimedSince: Moment = [14, "11:00"];

const createUsers = async (db: Database, moments: Moments): Promise<Map<Role, number>> => {
  const ids = new Map<Role, number>();
  const hashes = await Promise.all(users.map(() => hashPassword(demonstrationPassword)));
  for (const [i, { roleType, joined, signedIn: _, ...user }] of users.entries()) {
    const person = { ...user, passwordHash: hashes[i] ?? "", company: riverside.name, industry: "Utilities" };
    ids.set(roleType, await createUser(db, person, moments.at(joined)));
  }
  return ids;
};

const userOf = (ids: Map<Role, number>, role: Role): number => {
  const id = ids.get(role);
  if (id === undefined) throw new Error(`The demonstration has no user of role ${role}`);
  return id;
};

/** Minutes from an invitation to its answer. */
const untilJoined = 47;

/** Minutes from a sign-in to the last save of that session. */
const untilSaved = 34;

interface Joining extends PlantUser {
  plantId: number;
  email: string;
  roleType: Role;
  invitedBy: number;
  invited: Date;
  signedIn: Date | null;
}

/** Records invitation, joining and last sign-in of a user. */
const record = async (db: Database, joining: Joining): Promise<void> => {
  const { plantId, userId, accountId, email, roleType, invitedBy, invited, signedIn } = joining;
  const detail = { accountId, after: { email, roleType } };
  await audit(db, { plantId, userId: invitedBy, action: "user.add", detail, now: invited });
  const joined = after(invited, untilJoined);
  await audit(db, { plantId, userId, action: "user.join", detail: { accountId }, now: joined });
  await recordSignIn(db, accountId, signedIn);
};

const recordSignIn = async (db: Database, accountId: number, signedIn: Date | null): Promise<void> => {
  await db.updateTable("accounts").set({ login_time: signedIn }).where("account_id", "=", accountId).execute();
};

interface Making {
  db: Database;
  ids: Map<Role, number>;
  plant: PlannedPlant;
  owner: PlannedUser;
  now: Date;
}

/** Creates a plant with its owner. */
const openPlant = async ({
  db,
  ids,
  plant,
  owner,
  now,
}: Making): Promise<{ people: Map<Role, PlantUser> } & PlantDraft> => {
  const moments = createMoments(now, plant.timeZoneId);
  const userId = userOf(ids, owner.roleType);
  const plantId = await createPlant(
    db,
    { userId, plantName: plant.name, timeZoneId: plant.timeZoneId },
    moments.at(plant.opened),
  );
  const people = new Map<Role, PlantUser>([[Role.owner, { userId, accountId: plantId }]]);
  return { plantId, plant, people, moments, made: new Map() };
};

const plannedUser = (role: Role): PlannedUser => {
  const found = users.find(({ roleType }) => roleType === role);
  if (!found) throw new Error(`The demonstration has no user of role ${role}`);
  return found;
};

const createRiverside = async (db: Database, ids: Map<Role, number>, now: Date): Promise<PlantDraft> => {
  const owner = plannedUser(Role.owner);
  const members = users.filter((user) => user !== owner);
  const being = await openPlant({ db, ids, plant: riverside, owner, now });
  const { plantId, people, moments } = being;
  for (const { roleType, joined, signedIn, email } of members) {
    const userId = userOf(ids, roleType);
    const invited = moments.at(joined);
    const accountId = await createAccount(db, { userId, plantId, roleType, alias: riverside.name }, invited);
    people.set(roleType, { userId, accountId });
    const invitedBy = userOf(ids, Role.owner);
    // The user who made the last changes signed in before them.
    const isBusy = roleType === Role.deviceManager;
    const signed = isBusy ? after(moments.lastInOffice(), -untilSaved) : moments.at(signedIn);
    await record(db, { plantId, userId, accountId, email, roleType, invitedBy, invited, signedIn: signed });
  }
  await recordSignIn(db, plantId, moments.at(owner.signedIn));
  const dashboards = await fillPlant(db, being);
  await db
    .updateTable("accounts")
    .set({ dashboard_id: dashboards.get("Gate house") ?? null })
    .where("account_id", "=", holderOf(people, Role.viewer).accountId)
    .execute();
  await makeOrders(db, being);
  return being;
};

/** When the owner of the first plant was invited to the second, and last signed in there. */
const helping = { invited: [87, "09:15"], signedIn: [12, "15:20"] } as const;

/** The device manager's own plant, where the owner of the first one helps out. */
const createHillside = async (db: Database, ids: Map<Role, number>, now: Date): Promise<void> => {
  const owner = plannedUser(Role.deviceManager);
  const helper = plannedUser(Role.owner);
  const being = await openPlant({ db, ids, plant: hillside, owner, now });
  const { plantId, people, moments } = being;
  const [userId, invited] = [userOf(ids, Role.owner), moments.at(helping.invited)];
  const roleType = Role.deviceManager;
  const accountId = await createAccount(db, { userId, plantId, roleType, alias: hillside.name }, invited);
  people.set(roleType, { userId, accountId });
  const joining = { plantId, userId, accountId, email: helper.email, roleType, invited };
  const signedIn = moments.at(helping.signedIn);
  await record(db, { ...joining, invitedBy: userOf(ids, Role.deviceManager), signedIn });
  await recordSignIn(db, plantId, moments.at([5, "17:31"]));
  await fillPlant(db, being);
};

/** Creates the demonstration's plants, users and devices in a database without users. False when there are users. */
export const createDemonstration = ({ db, files, clock }: Pick<World, "db" | "files" | "clock">): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockFirstStart(trx);
    if (await trx.selectFrom("users").select("user_id").limit(1).executeTakeFirst()) return false;
    const now = clock.date();
    const moments = createMoments(now, riverside.timeZoneId);
    const ids = await createUsers(trx, moments);
    const being = await createRiverside(trx, ids, now);
    await createHillside(trx, ids, now);
    await makeFirmware({ db: trx, files }, being);
    for (const unit of unclaimed) await provisionDevice(trx, unit, moments.at(unclaimedSince));
    await recordPastPending(trx, now);
    return true;
  });
