import { Code } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { commonPassword } from "@telltale/contract/domains/people/person-fields";
import { profile } from "@telltale/contract/domains/people/profile";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anUnclaimedDevice } from "../../../test/test-devices.ts";
import { linkTo } from "../../../test/test-mail.ts";
import { anOwner } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createOwnerLink } from "../registration/first-owner.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refused = expect.objectContaining({ code: Code.invalid, message: commonPassword });
const good = "a long enough phrase";

test("the most common passwords are refused wherever one is set, in capitals or not", async () => {
  const visitor = server.as();
  const secret = (await createOwnerLink(server.world)) ?? "";
  const first = { secret, email: "first@example.test", plantName: "North mill" };
  await expect(visitor(accounts.createFirstOwner, { ...first, password: "Password123" })).rejects.toEqual(refused);
  await visitor(accounts.createFirstOwner, { ...first, password: good });

  const { deviceSnId: telltaleId } = await anUnclaimedDevice(server.world);
  const email = "new@example.test";
  for (const password of ["12345678", "PassWord1", "QWERTYUIOP", " iloveyou ", "letmein1", "telltale-demo"])
    await expect(visitor(registration.register, { email, telltaleId, password })).rejects.toEqual(refused);
  await visitor(registration.register, { email, telltaleId, password: good });
  await visitor(registration.confirm, await linkTo(server.world, email));
  const user = await visitor(accounts.login, { email, password: good });

  const change = { originalPwd: good, newPwd: "Passw0rd" };
  await expect(server.as(user)(profile.update, change)).rejects.toEqual(refused);
  await server.as(user)(profile.update, { ...change, newPwd: "another good phrase" });

  await visitor(passwords.askReset, { email });
  const { accessToken } = await linkTo(server.world, email);
  await expect(visitor(passwords.reset, { email, accessToken, newPwd: "football1" })).rejects.toEqual(refused);
  await visitor(passwords.reset, { email, accessToken, newPwd: good });
});

test("an invited user cannot set a common password; an existing one is not checked at sign-in or when joining", async () => {
  const owner = await anOwner(server.world);
  const invite = async (email: string) => {
    await server.as(owner)(users.add, { firstName: "Iris", lastName: "Berg", email, type: Role.viewer });
    return linkTo(server.world, email);
  };
  const link = await invite("iris@example.test");
  await expect(server.as()(registration.join, { ...link, password: "12345678" })).rejects.toEqual(refused);
  await server.as()(registration.join, { ...link, password: good });

  const { hashPassword } = await import("./password.ts");
  const known = await anOwner(server.world);
  await server.world.db
    .updateTable("users")
    .set({ password_hash: await hashPassword("password1") })
    .where("user_id", "=", known.userId)
    .execute();
  await server.as()(registration.join, { ...(await invite(known.email)), password: "password1" });
  expect((await server.as()(accounts.login, { email: known.email, password: "password1" })).email).toBe(known.email);
});
