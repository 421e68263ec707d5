import { tmpdir } from "node:os";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { UserStatus, users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDeviceManager, anOwner } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { addDevices } from "./devices-add.ts";
import type { Operator } from "./open.ts";
import { addUser } from "./users-add.ts";

let server: TestServer;
let operator: Operator;

beforeAll(async () => {
  server = await startTestServer();
  const { url } = server.world;
  const place = { databaseUrl: url, adminUrl: url };
  operator = { ...server.world, dataDir: tmpdir(), place, publicUrl: "https://telltale.example" };
});
afterAll(() => server.close());

describe("users add", () => {
  test("makes the first owner, whose made-up password signs in", async () => {
    const [made] = await addUser(operator, { email: "first@example.test", owner: true, plant: "Works" });
    const info = await server.as()(accounts.login, { email: "first@example.test", password: String(made?.password) });
    expect(info.accounts).toMatchObject([{ roleName: "Owner", alias: "Works" }]);
  });

  test("does not make a second plant of one name, and tells an owner's plants apart by their numbers", async () => {
    const owner = { email: "twice@example.test", owner: true };
    await addUser(operator, owner);
    await expect(addUser(operator, owner)).rejects.toThrow("owns a plant Plant of twice@example.test already");
    await addUser(operator, { ...owner, plant: "Works" });
    const devices = { model: "AIS", count: 1, owner: owner.email };
    await expect(addDevices(operator, devices)).rejects.toThrow(
      /choose by name or number with --plant 'Plant of twice@example\.test' \(\S+\) or 'Works' \(\S+\)$/,
    );
  });

  test("gives a known user a role in another plant", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const made = await addUser(operator, { email: other.email, ownerEmail: owner.email, role: "viewer" });
    expect(made).toEqual([{ email: other.email, role: "Viewer", password: null }]);
    const again = addUser(operator, { email: other.email, ownerEmail: owner.email, role: "viewer" });
    await expect(again).rejects.toThrow("has an account in this plant already");
  });

  test("brings back a user who was removed, with the role of now", async () => {
    const owner = await anOwner(server.world);
    const member = await aDeviceManager(server.world, owner);
    await server.as(owner)(users.remove, { accountId: member.accountId });
    const wanted = { email: member.email, ownerEmail: owner.email };
    await addUser(operator, { ...wanted, role: "installer" });
    const again = { userEmail: member.email, roleType: Role.installer, activate: UserStatus.active };
    expect((await server.as(owner)(users.list, { page: 1, size: 10 })).data).toContainEqual(
      expect.objectContaining(again),
    );
  });

  test.each([
    [{ email: "nobody", owner: true }, "nobody is no e-mail address"],
    [{ email: "a@example.test", owner: true, password: "short" }, "Password must be a minimum of 8 characters"],
    [{ email: "a@example.test" }, "Give --owner"],
    [{ email: "a@example.test", ownerEmail: "b@example.test", role: "boss" }, "--role is one of"],
  ])("%j is refused with a reason", async (options, reason) => {
    await expect(async () => addUser(operator, options)).rejects.toThrow(reason);
  });
});
