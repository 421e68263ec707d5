import { DeviceType, devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice, anUnclaimedDevice } from "../../../test/test-devices.ts";
import { anOwner, aSupportView, aViewer } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { hashPassword } from "../passwords/password.ts";
import { createAccount } from "../records/create.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const open = (person: { token: string }, deviceSnId: string) => server.as(person)(accounts.openAccount, { deviceSnId });

test("a viewer with a unit in hand opens an account of its own, in which it is the owner and adds the unit", async () => {
  const owner = await anOwner(server.world);
  const viewer = await aViewer(server.world, owner);
  const { deviceSnId, deviceId } = await anUnclaimedDevice(server.world);
  await expect(server.as(viewer)(devices.lookUp, { deviceSnId })).resolves.toMatchObject({ deviceSnId });
  const { token, accountId } = await open(viewer, deviceSnId);
  await server.as({ token })(devices.add, { deviceSnId, deviceName: "Dryer", accountId });
  const info = await server.as({ token })(accounts.info);
  expect(info.accounts).toHaveLength(2);
  expect(info.accounts).toContainEqual(expect.objectContaining({ accountId, roleType: Role.owner, isShow: 1 }));
  const { data } = await server.as({ token })(devices.list);
  expect(data.map((row) => row.deviceId)).toEqual([deviceId]);
  expect(info).toMatchObject({ telltaleSnId: deviceSnId });
  expect(info.accounts[info.activeIndex]).toMatchObject({ accountId });
  expect(await server.as(viewer)(accounts.info), "in the plant of somebody else").toMatchObject({ telltaleSnId: "" });
  const elsewhere = await server.as(owner)(devices.list);
  expect(elsewhere.total).toBe(0);
});

test("asked again for the same unit, by a second click too, it is the same account", async () => {
  const owner = await anOwner(server.world);
  const { deviceSnId } = await anUnclaimedDevice(server.world);
  const opened = await Promise.all([open(owner, deviceSnId), open(owner, deviceSnId)]);
  const again = await open(owner, deviceSnId);
  expect(new Set([...opened, again].map(({ accountId }) => accountId)).size).toBe(1);
  expect((await server.as(owner)(accounts.info)).accounts).toHaveLength(2);
});

test("until the unit is added, or the user goes there, the next sign-in opens the account the user had", async () => {
  const { world } = server;
  const person = await anOwner(world);
  const other = await anOwner(world);
  await createAccount(
    world.db,
    { userId: person.userId, plantId: other.plantId, roleType: Role.admin },
    world.clock.date(),
  );
  const password = "correct horse battery";
  const password_hash = await hashPassword(password);
  await world.db.updateTable("users").set({ password_hash }).where("user_id", "=", person.userId).execute();
  const opens = async () => {
    world.clock.pass(1000);
    const info = await server.as()(accounts.login, { email: person.email, password });
    return info.accounts.find(({ isShow }) => isShow === 1)?.accountId;
  };
  expect(await opens()).toBe(person.accountId);
  world.clock.pass(1000);
  const { deviceSnId } = await anUnclaimedDevice(world);
  const reserved = await open(person, deviceSnId);
  expect(await opens(), "reserved").toBe(person.accountId);
  await open(person, deviceSnId);
  expect(await opens(), "reserved again").toBe(person.accountId);
  world.clock.pass(1000);
  await server.as(reserved)(devices.add, { deviceSnId, deviceName: "Dryer" });
  expect(await opens(), "the unit was added").toBe(reserved.accountId);
  const gone = await open(person, (await anUnclaimedDevice(world)).deviceSnId);
  expect(await opens(), "reserved for another").toBe(reserved.accountId);
  world.clock.pass(1000);
  await server.as(person)(accounts.change, { accountId: gone.accountId });
  expect(await opens(), "gone to").toBe(gone.accountId);
});

test("no account is opened for an unknown unit, one that has been added, a sub-device, or by a support view", async () => {
  const owner = await anOwner(server.world);
  const claimed = await aDevice(server.world, owner);
  const sub = await anUnclaimedDevice(server.world, { deviceType: DeviceType.sub });
  const free = await anUnclaimedDevice(server.world);
  await expect(open(owner, "NOWHERE")).rejects.toMatchObject({ code: 404 });
  await expect(open(owner, claimed.deviceSnId)).rejects.toMatchObject({ code: 409 });
  await expect(open(owner, sub.deviceSnId)).rejects.toMatchObject({ code: 422 });
  await expect(open(await aSupportView(server.world, owner), free.deviceSnId)).rejects.toMatchObject({ code: 403 });
  expect((await server.as(owner)(accounts.info)).accounts).toHaveLength(1);
});
