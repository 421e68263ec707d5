import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anUnclaimedDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { apply, keyOf, planOf } from "../test/test-plant-file.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const nothing = { changed: 0, partly: 0, refused: [] };

test("a device's ID with other capitals is the same device, and its own name once more is no change", async () => {
  const client = await keyOf(server, await anOwner(server.world));
  await anUnclaimedDevice(server.world, { deviceSnId: "7C9E0000AB01" });
  const file = "devices:\n  Pump:\n    id: 7c9e0000ab01\n    name: Pump\n";
  expect((await apply(client, file)).refused).toEqual([]);
  expect(await planOf(client, file)).toEqual([]);
  expect(await apply(client, file)).toEqual(nothing);
  expect(await planOf(client, "devices:\n  Well:\n    id: 7c9e0000ab01\n    name: Well\n")).toEqual([
    "~ devices / Well / name: Pump -> Well",
  ]);
});

test("one ID with different capitals is told twice", async () => {
  const client = await keyOf(server, await anOwner(server.world));
  const file = "devices:\n  Pump:\n    id: 7c9e0000ab02\n  Mill:\n    id: 7C9E0000AB02\n";
  await expect(planOf(client, file)).rejects.toThrow("7C9E0000AB02 is the ID of Pump already");
});

test("a user whom the server knows by other capitals is the same user", async () => {
  const elsewhere = await keyOf(server, await anOwner(server.world));
  await elsewhere(users.add, { firstName: "Anna", lastName: "Lund", email: "Anna@spelling.test", type: Role.viewer });
  const client = await keyOf(server, await anOwner(server.world));
  const file = (role: string) =>
    `users:\n  anna@spelling.test:\n    firstName: Anna\n    lastName: Lund\n    role: ${role}\n`;
  expect((await apply(client, file("viewer"))).refused).toEqual([]);
  expect(await planOf(client, file("viewer"))).toEqual([]);
  expect((await apply(client, file("installer"))).refused).toEqual([]);
  expect((await client(users.list, { page: 1, size: 10 })).data).toMatchObject([
    { roleType: Role.owner },
    { userEmail: "Anna@spelling.test", roleType: Role.installer },
  ]);
  await expect(
    planOf(client, file("viewer") + file("viewer").split("\n").slice(1).join("\n").replace("anna", "ANNA")),
  ).rejects.toThrow("it is anna@spelling.test already");
});

test("why a user was not invited is told", async () => {
  const client = await keyOf(server, await anOwner(server.world));
  const { refused } = await apply(
    client,
    "users:\n  nora@spelling.test:\n    firstName: Nora\n    lastName: Quist\n    role: viewer\n    phone: five\n",
  );
  expect(refused).toHaveLength(1);
  expect(refused[0]).toContain("plant.yaml:2: users / nora@spelling.test: ");
  expect(refused[0]).not.toContain("the server keeps");
});
