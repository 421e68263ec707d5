import { once } from "node:events";
import { Code, Message } from "@telltale/contract/call/codes";
import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { apiKeys, KeyMessage, maxApiKeys } from "@telltale/contract/domains/people/api-keys";
import { users } from "@telltale/contract/domains/people/users";
import { livePath } from "@telltale/contract/live";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { aDevice, anUnclaimedDevice } from "../../test/test-devices.ts";
import { aDeviceManager, anAdmin, anInstaller, anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createAccount } from "../accounts/records/create.ts";
import { keyFinder } from "./key-finder.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

const wanted = { keyName: "Reports", roleType: Role.owner, readOnly: 0, days: 30 } as const;

const aKey = async (person: Person, input: Partial<Record<keyof typeof wanted, unknown>> = {}) => {
  const { apiKeyId, apiKey } = await server.as(person)(apiKeys.add, { ...wanted, ...input } as typeof wanted);
  return { apiKeyId, apiKey, by: server.byKey(apiKey) };
};

describe("an API key", () => {
  test("acts as its member in its plant, and says so", async () => {
    const owner = await anOwner(server.world);
    const { deviceId } = await aDevice(server.world, owner, { name: "Pump" });
    const { by } = await aKey(owner, { roleType: Role.deviceManager });
    expect(await by(apiKeys.holder)).toMatchObject({
      ...{ keyName: "Reports", accountId: owner.accountId, plantId: owner.plantId, roleType: Role.deviceManager },
      readOnly: false,
    });
    expect((await by(devices.list, {})).data.map((device) => device.deviceId)).toEqual([deviceId]);
  });

  test("is stored as a hash and shown by its beginning", async () => {
    const owner = await anOwner(server.world);
    const { apiKeyId, apiKey } = await aKey(owner);
    const [row] = await server.as(owner)(apiKeys.list);
    expect(row).toMatchObject({ apiKeyId, keyName: "Reports", usedTime: null, isOwn: true });
    expect(apiKey.startsWith(row?.beginning ?? "-")).toBe(true);
    expect(apiKey.length).toBeGreaterThan((row?.beginning.length ?? 0) + 30);
    const { rows } = await server.world.pool.query("SELECT k::text AS text FROM api_keys k");
    for (const { text } of rows) expect(text).not.toContain(apiKey);
  });

  test("names the last use and from where", async () => {
    const owner = await anOwner(server.world);
    const { by } = await aKey(owner);
    await by(devices.list, {});
    const [row] = await server.as(owner)(apiKeys.list);
    expect(row).toMatchObject({ usedTime: server.world.clock.date(), usedAddress: "127.0.0.1" });
  });

  test("is refused at once after it was revoked, and the log names both", async () => {
    const owner = await anOwner(server.world);
    const { apiKeyId, by } = await aKey(owner);
    await by(devices.list, {});
    await server.as(owner)(apiKeys.revoke, { apiKeyId });
    await expect(by(devices.list, {})).rejects.toEqual(refusal(Code.notSignedIn, KeyMessage.noSuchKey));
    const actions = (await server.as(owner)(audit.list, {})).data.map(({ action }) => action);
    expect(actions.slice(0, 2)).toEqual(["apiKey.revoke", "apiKey.add"]);
  });

  test("opens the live socket, which closes when it is revoked", async () => {
    const owner = await anOwner(server.world);
    const { apiKeyId, apiKey } = await aKey(owner, { readOnly: 1 });
    const address = await server.app.listen({ port: 0, host: "127.0.0.1" });
    const socket = new WebSocket(`${address.replace("http", "ws")}${livePath(owner.userId, owner.accountId)}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    await once(socket, "message");
    const closed = once(socket, "close");
    await server.as(owner)(apiKeys.revoke, { apiKeyId });
    await closed;
  });

  test("ends when its days are over", async () => {
    const owner = await anOwner(server.world);
    const { by } = await aKey(owner, { days: 30 });
    const { by: untilRevoked } = await aKey(owner, { days: 0 });
    server.world.clock.pass(30 * 86_400_000);
    await expect(by(devices.list, {})).rejects.toEqual(refusal(Code.notSignedIn, KeyMessage.noSuchKey));
    expect((await untilRevoked(devices.list, {})).data).toEqual([]);
  });

  test("that only reads changes nothing", async () => {
    const owner = await anOwner(server.world);
    const { by } = await aKey(owner, { readOnly: 1 });
    await expect(by(alerts.confirmAll, {})).rejects.toEqual(refusal(Code.notAllowed, KeyMessage.readOnlyKey));
  });

  test("opens no session, makes no keys and changes nobody's profile", async () => {
    const owner = await anOwner(server.world);
    const { apiKeyId, by } = await aKey(owner);
    const refused = refusal(Code.notAllowed, KeyMessage.notByKey);
    await expect(by(accounts.change, { accountId: owner.accountId })).rejects.toEqual(refused);
    await expect(by(apiKeys.add, wanted)).rejects.toEqual(refused);
    await expect(by(apiKeys.revoke, { apiKeyId })).rejects.toEqual(refused);
  });

  test("adds devices to its own plant, and to no other of its member's", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const membership = { userId: owner.userId, plantId: other.plantId, roleType: Role.admin };
    const accountId = await createAccount(server.world.db, membership, server.world.clock.date());
    const { by } = await aKey(owner, { roleType: Role.installer });
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    const unit = { deviceSnId, deviceName: "Boiler" };
    await expect(by(devices.add, { ...unit, accountId })).rejects.toEqual(
      refusal(Code.notAllowed, KeyMessage.ownPlantOnly),
    );
    await by(devices.add, { ...unit, accountId: owner.accountId });
    expect((await server.as(other)(devices.list, {})).data).toEqual([]);
  });

  test("is not taken from an address, which is logged", async () => {
    const owner = await anOwner(server.world);
    const { apiKey } = await aKey(owner);
    await expect(server.as({ token: apiKey })(devices.list, {})).rejects.toEqual(
      refusal(Code.notSignedIn, "Authorization: Bearer"),
    );
  });

  test("is named beside its member in the audit log of what it changed", async () => {
    const owner = await anOwner(server.world);
    const { deviceId } = await aDevice(server.world, owner, { name: "Pump" });
    const { by } = await aKey(owner, { keyName: "Naming service" });
    await by(deviceConfiguration.update, { deviceId, deviceName: "Pump 7" });
    const [entry] = (await server.as(owner)(audit.list, {})).data;
    expect(JSON.stringify(entry)).toContain("Naming service");
  });

  test("that makes too many calls waits for the next minute, and no other key", async () => {
    const owner = await anOwner(server.world);
    const [looping, other] = [await aKey(owner), await aKey(owner)];
    const most = 50;
    const find = keyFinder(server.world, most);
    const from = "192.0.2.1";
    for (let call = 0; call < most; call++) await find(looping.apiKey, from);
    await expect(find(looping.apiKey, from)).rejects.toEqual(refusal(Code.tooManyTries, "within a minute"));
    // Its open sockets are looked after all the same: otherwise nobody's would be.
    expect(await find(looping.apiKey)).toMatchObject({ accountId: owner.accountId });
    expect(await find(other.apiKey, from)).toMatchObject({ accountId: owner.accountId });
    server.world.clock.pass(60_000);
    expect(await find(looping.apiKey, from)).toMatchObject({ accountId: owner.accountId });
  });
});

test("a key's calls are counted on all nodes of a cluster together", async () => {
  const owner = await anOwner(server.world);
  const { apiKey } = await aKey(owner);
  const node = { ...server.world.node, isOfCluster: true };
  const most = 400;
  const nodes = [1, 2].map(() => keyFinder({ ...server.world, node }, most));
  const calls = Array.from({ length: 2 * most }, (_, call) => nodes[call % 2]?.(apiKey, "192.0.2.1"));
  const taken = (await Promise.allSettled(calls)).filter(({ status }) => status === "fulfilled").length;
  expect(taken).toBe(most);
});

describe("the role of a key", () => {
  test("is not above its member's", async () => {
    const owner = await anOwner(server.world);
    const installer = await anInstaller(server.world, owner);
    await expect(aKey(installer, { roleType: Role.admin })).rejects.toEqual(
      refusal(Code.notAllowed, "it may more than"),
    );
    // A viewer sees the dashboard, an installer does not.
    await expect(aKey(installer, { roleType: Role.viewer })).rejects.toEqual(
      refusal(Code.notAllowed, "it may more than"),
    );
    expect(await (await aKey(installer, { roleType: Role.installer })).by(apiKeys.holder)).toMatchObject({
      roleType: Role.installer,
    });
  });

  test("falls with its member's", async () => {
    const owner = await anOwner(server.world);
    const manager = await aDeviceManager(server.world, owner);
    const { by } = await aKey(manager, { roleType: Role.deviceManager });
    await server.world.db
      .updateTable("accounts")
      .set({ role_type: Role.viewer })
      .where("account_id", "=", manager.accountId)
      .execute();
    expect(await by(apiKeys.holder)).toMatchObject({ roleType: Role.viewer });
    await expect(by(devices.list, {})).rejects.toEqual(refusal(Code.notAllowed, Message.notAllowed));
  });
});

describe("keys of a plant", () => {
  test("end with their member's account", async () => {
    const owner = await anOwner(server.world);
    const admin = await anAdmin(server.world, owner);
    const { by } = await aKey(admin, { roleType: Role.admin });
    await server.as(owner)(users.remove, { accountId: admin.accountId });
    await expect(by(devices.list, {})).rejects.toEqual(refusal(Code.notSignedIn, KeyMessage.noSuchKey));
    expect(await server.as(owner)(apiKeys.list)).toEqual([]);
  });

  test("are seen and revoked by the owner, by an admin but for the owner's, by others only their own", async () => {
    const owner = await anOwner(server.world);
    const [admin, installer] = [await anAdmin(server.world, owner), await anInstaller(server.world, owner)];
    const keys = {
      owner: (await aKey(owner)).apiKeyId,
      admin: (await aKey(admin, { roleType: Role.admin })).apiKeyId,
      installer: (await aKey(installer, { roleType: Role.installer })).apiKeyId,
    };
    const seenBy = async (person: Person) =>
      (await server.as(person)(apiKeys.list)).map(({ apiKeyId }) => apiKeyId).toReversed();
    expect(await seenBy(owner)).toEqual([keys.owner, keys.admin, keys.installer]);
    expect(await seenBy(admin)).toEqual([keys.admin, keys.installer]);
    expect(await seenBy(installer)).toEqual([keys.installer]);
    const refused = refusal(Code.notFound, Message.notFound);
    await expect(server.as(admin)(apiKeys.revoke, { apiKeyId: keys.owner })).rejects.toEqual(refused);
    await expect(server.as(installer)(apiKeys.revoke, { apiKeyId: keys.admin })).rejects.toEqual(refused);
    await server.as(admin)(apiKeys.revoke, { apiKeyId: keys.installer });
    expect(await seenBy(installer)).toEqual([]);
  });

  test("are limited for each member, also when made at once", async () => {
    const owner = await anOwner(server.world);
    const made = await Promise.allSettled(Array.from({ length: maxApiKeys + 5 }, () => aKey(owner)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(maxApiKeys);
  });
});
