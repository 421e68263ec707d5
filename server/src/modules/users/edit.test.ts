import { alarms } from "@telltale/contract/domains/alarms";
import { profile } from "@telltale/contract/domains/people/profile";
import { registration } from "@telltale/contract/domains/people/registration";
import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aLowFlow, aWatchableStation } from "../../test/test-alarms.ts";
import { linkTo } from "../../test/test-mail.ts";
import { anAdmin, anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const asOwner = () => server.as(owner);
const rowOf = async (accountId: number) =>
  (await asOwner()(users.list)).data.find((user) => user.accountId === accountId);
const refusal = (message: string) => expect.objectContaining({ code: 422, message });

describe("the account that owns the plant", () => {
  test("is assigned alerts by an owner, keeps its type, and is not deleted", async () => {
    const { accountId } = owner;
    const { alarmId } = await asOwner()(alarms.add, aLowFlow(await aWatchableStation(server.world, owner)));
    await asOwner()(users.edit, { accountId, alarmIds: [alarmId] });
    expect(await rowOf(accountId)).toMatchObject({ alarmIds: [alarmId], alarmNum: 1, roleType: Role.owner });
    const kept = refusal("The User Type of the account that owns this plant can't be changed");
    await expect(asOwner()(users.edit, { accountId, type: Role.admin })).rejects.toEqual(kept);
    const stays = refusal("The account that owns this plant can't be deleted");
    await expect(asOwner()(users.remove, { accountId })).rejects.toEqual(stays);
    const asAdmin = server.as(await anAdmin(server.world, owner));
    const ownersOnly = refusal("Only an owner can change or delete another owner");
    await expect(asAdmin(users.edit, { accountId, alarmIds: [] })).rejects.toEqual(ownersOnly);
    expect(await rowOf(accountId)).toMatchObject({ alarmIds: [alarmId], roleType: Role.owner });
  });
});

describe("name, number and address of a user", () => {
  const anInvited = async () => {
    const email = `iris.${++count}@example.test`;
    const person = { firstName: "Iris", lastName: "Berg", email, type: Role.viewer, cellNumber: "5550001111" };
    return { ...(await asOwner()(users.add, person)), ...person };
  };
  const ownOnly = refusal("Only the user can change the name and the phone number of the profile");

  test("are put right until the user has joined, and what an edit leaves out stays", async () => {
    const { accountId } = await anInvited();
    await asOwner()(users.edit, { accountId, firstName: "Irene" });
    expect(await rowOf(accountId)).toMatchObject({ name: "Irene Berg", cellNumber: "5550001111" });
    await asOwner()(users.edit, { accountId, cellNumber: "" });
    expect(await rowOf(accountId)).toMatchObject({ name: "Irene Berg", cellNumber: "" });
  });

  test("belong to the user from then on: the same ones are accepted, others are refused rather than ignored", async () => {
    const { accountId, type: _, ...person } = await anInvited();
    await server.as()(registration.join, { ...(await linkTo(server.world, person.email)), password: "long enough" });
    await asOwner()(users.edit, { accountId, ...person, type: Role.installer });
    expect(await rowOf(accountId)).toMatchObject({ name: "Iris Berg", roleType: Role.installer });
    for (const wrong of [{ firstName: "Irene" }, { lastName: "Bergmann" }, { cellNumber: "" }])
      await expect(asOwner()(users.edit, { accountId, ...wrong, type: Role.viewer })).rejects.toEqual(ownOnly);
    expect((await rowOf(accountId))?.roleType, "nothing of a refused edit is saved").toBe(Role.installer);
    await asOwner()(profile.update, { firstName: "Olga", lastName: "Rehm" });
    await expect(asOwner()(users.edit, { accountId: owner.accountId, lastName: "T" })).rejects.toEqual(ownOnly);
  });

  test("an address is accepted as it is only", async () => {
    const { accountId, email } = await anInvited();
    await asOwner()(users.edit, { accountId, email: email.toUpperCase() });
    const other = refusal("An email address can't be changed. Delete the user and add one with the new address");
    await expect(asOwner()(users.edit, { accountId, email: `other.${email}` })).rejects.toEqual(other);
    expect(await rowOf(accountId)).toMatchObject({ userEmail: email });
  });
});
