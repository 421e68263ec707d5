import { Role } from "@telltale/contract/permissions";
import { createAccount, createPlant, createUser } from "../modules/accounts/records/create.ts";
import type { SignedIn } from "../modules/accounts/records/queries.ts";
import { signIn, supportViewLength } from "../modules/accounts/sign-in/sign-in.ts";
import type { World } from "../world.ts";

/** A signed-in user of a plant. */
export interface Person extends SignedIn {
  plantId: number;
  email: string;
}

type Needs = Pick<World, "db" | "clock">;

let count = 0;

/** Test users get a session token, no password: hashing one for every test would take longer than the tests. */
const visitor = { address: "192.0.2.1", userAgent: "test" };

const aUser = async ({ db, clock }: Needs, firstName: string): Promise<{ userId: number; email: string }> => {
  count += 1;
  const email = `${firstName.toLowerCase()}.${count}@example.test`;
  const user = { email, passwordHash: "", firstName, lastName: "Tester", company: "Test", industry: "Energy" };
  return { userId: await createUser(db, user, clock.date()), email };
};

/** Creates a plant and returns its owner. */
export const anOwner = async (world: Needs): Promise<Person> => {
  const { db, clock } = world;
  const user = await aUser(world, "Olga");
  const plantName = `Plant of ${user.email}`;
  const plantId = await db
    .transaction()
    .execute((trx) => createPlant(trx, { userId: user.userId, plantName }, clock.date()));
  const signedIn = await signIn(db, clock.date(), visitor, { userId: user.userId, accountId: plantId });
  return { ...signedIn, plantId, email: user.email };
};

type PlantOf = Pick<Person, "plantId">;

const aMember = async (
  world: Needs,
  { plantId }: PlantOf,
  firstName: string,
  roleType: Role,
  dashboardId?: number,
): Promise<Person> => {
  const { db, clock } = world;
  const user = await aUser(world, firstName);
  const member = { userId: user.userId, plantId, roleType, dashboardId: dashboardId ?? null };
  const accountId = await createAccount(db, member, clock.date());
  const signedIn = await signIn(db, clock.date(), visitor, { userId: user.userId, accountId });
  return { ...signedIn, plantId, email: user.email };
};

/** Users of the owner's plant. */
export const anAdmin = (world: Needs, owner: PlantOf) => aMember(world, owner, "Ada", Role.admin);
export const aDeviceManager = (world: Needs, owner: PlantOf) => aMember(world, owner, "Dmitri", Role.deviceManager);
export const anInstaller = (world: Needs, owner: PlantOf) => aMember(world, owner, "Ines", Role.installer);
/** A viewer of the given dashboard, or of the plant's default. */
export const aViewer = (world: Needs, owner: PlantOf, dashboardId?: number) =>
  aMember(world, owner, "Vera", Role.viewer, dashboardId);

/** A support view of the user's account, read-only, for an hour. */
export const aSupportView = async ({ db, clock }: Needs, person: Person): Promise<Person> => {
  const ends = new Date(clock.now() + supportViewLength);
  const signedIn = await signIn(db, clock.date(), visitor, { ...person, isAdmin: true, ends });
  return { ...person, ...signedIn };
};
