import { Code } from "@telltale/contract/call/codes";
import { audit } from "@telltale/contract/domains/audit";
import { Model } from "@telltale/contract/domains/devices";
import { KeyState, mostKeys, provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { anAdmin, anOwner, aSupportView, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const inDays = (days: number) => new Date(server.world.clock.now() + days * 86_400_000);
const wanted = (more: object = {}) => ({
  ...{ keyName: "Line 4", model: Model.mixed, deviceLimit: 300, expireTime: inDays(30), ...more },
});
const listed = async (person = owner) => (await server.as(person)(provisioning.list)).data;
const refusal = (code: number, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

test("a key is listed with its use, and its secret is answered once and kept as a hash", async () => {
  const { secret, provisionKey, provisioningKeyId } = await server.as(owner)(provisioning.add, wanted());
  expect(secret).toMatch(/^[A-Za-z0-9]{36}$/);
  const [row, ...others] = await listed(await anAdmin(server.world, owner));
  expect(others).toEqual([]);
  expect(row).toEqual({
    ...{ provisioningKeyId, keyName: "Line 4", provisionKey, model: Model.mixed, deviceSn: "MIX-420-10" },
    ...{ state: KeyState.valid, deviceCount: 0, deviceLimit: 300, refusedCount: 0, lastUsedTime: null },
    ...{ lastRefusedTime: null, lastRefusal: "", createdTime: server.world.clock.date(), createdBy: "Olga Tester" },
    ...{ expireTime: wanted().expireTime, revokedTime: null },
  });
  const { rows } = await server.world.pool.query("SELECT k::text AS row FROM provisioning_keys k");
  expect(rows.some(({ row: stored }) => stored.includes(secret))).toBe(false);
  const log = await server.as(owner)(audit.list, {});
  expect(JSON.stringify(log)).not.toContain(secret);
});

test("a key is revoked, once; another plant's is not found, and support may only read", async () => {
  const { provisioningKeyId } = await server.as(owner)(provisioning.add, wanted());
  const stranger = await anOwner(server.world);
  await expect(server.as(stranger)(provisioning.revoke, { provisioningKeyId })).rejects.toEqual(
    refusal(Code.notFound, ""),
  );
  expect(await listed(stranger)).toEqual([]);
  const support = await aSupportView(server.world, owner);
  expect(await listed(support)).toHaveLength(1);
  await expect(server.as(support)(provisioning.revoke, { provisioningKeyId })).rejects.toEqual(
    refusal(Code.notAllowed, ""),
  );
  await server.as(owner)(provisioning.revoke, { provisioningKeyId });
  await server.as(owner)(provisioning.revoke, { provisioningKeyId });
  expect(await listed()).toMatchObject([{ state: KeyState.revoked, revokedTime: server.world.clock.date() }]);
  const { data } = await server.as(owner)(audit.list, {});
  expect(data.map(({ action, target }) => [action, target])).toEqual([
    ["provisioningKey.revoke", "Line 4"],
    ["provisioningKey.add", "Line 4"],
  ]);
});

test("a key expires", async () => {
  await server.as(owner)(provisioning.add, wanted({ expireTime: inDays(1 / 24) }));
  server.world.clock.pass(3_600_000);
  expect(await listed()).toMatchObject([{ state: KeyState.expired }]);
  await expect(server.as(owner)(provisioning.add, wanted({ expireTime: inDays(-1) }))).rejects.toEqual(
    refusal(Code.invalid, "Valid until"),
  );
});

test("a sub-device's model, too many devices and too many keys are refused", async () => {
  const add = server.as(owner);
  await expect(add(provisioning.add, wanted({ model: Model.motorController }) as never)).rejects.toEqual(
    refusal(Code.invalid, "Choose the model"),
  );
  await expect(add(provisioning.add, wanted({ deviceLimit: 10_001 }))).rejects.toEqual(
    refusal(Code.invalid, "Most devices"),
  );
  const tries = Array.from({ length: mostKeys + 3 }, () => add(provisioning.add, wanted()));
  const done = (await Promise.allSettled(tries)).filter(({ status }) => status === "fulfilled");
  expect(done).toHaveLength(mostKeys);
});
