import { accounts } from "@telltale/contract/accounts";
import { DeviceType, devices } from "@telltale/contract/devices";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDevice, anUnclaimedDevice } from "../test/test-devices.ts";
import { anOwner, aSupportView, aViewer } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

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
