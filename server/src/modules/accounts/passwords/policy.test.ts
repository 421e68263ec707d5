import { Code } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { site } from "@telltale/contract/domains/people/site";
import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anUnclaimedDevice } from "../../../test/test-devices.ts";
import { linkTo, mailsTo } from "../../../test/test-mail.ts";
import { password, withPassword } from "../../../test/test-passwords.ts";
import { anAdmin, anOwner, type Person } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";

let server: TestServer;
let kept: Person;
let other: Person;
const policy = { isOff: true, keptFor: "", instead: "Riverside Works" };

beforeAll(async () => {
  server = await startTestServer({}, { passwords: policy });
  kept = await withPassword(server.world, await anOwner(server.world));
  other = await withPassword(server.world, await anOwner(server.world));
  policy.keptFor = kept.email.toUpperCase();
});
afterAll(() => server.close());

const refused = {
  code: Code.notAllowed,
  message: "Passwords are switched off on this server. Please sign in with Riverside Works",
};
const newPwd = "battery staple";

describe("when passwords are off", () => {
  test("a right password, a wrong one and that of nobody are refused alike", async () => {
    for (const credentials of [
      { email: other.email, password },
      { email: other.email, password: "wrong" },
      { email: "nobody@example.test", password },
    ])
      await expect(server.as()(accounts.login, credentials)).rejects.toMatchObject(refused);
    expect(await server.as()(site.info)).toMatchObject({ hasPasswords: false });
  });

  test("no password is reset, changed or confirmed", async () => {
    const { email } = other;
    await expect(server.as()(passwords.askReset, { email })).rejects.toMatchObject(refused);
    expect(await mailsTo(server.world, email)).toEqual([]);
    await expect(server.as()(passwords.reset, { email, newPwd, accessToken: "x" })).rejects.toMatchObject(refused);
    await expect(server.as(other)(profile.update, { originalPwd: password, newPwd })).rejects.toMatchObject(refused);
    await expect(server.as(other)(secondFactor.begin, { password })).rejects.toMatchObject(refused);
  });

  test("nobody registers or joins with one", async () => {
    const email = "new@example.test";
    const { deviceSnId: telltaleId } = await anUnclaimedDevice(server.world);
    await expect(server.as()(registration.register, { email, telltaleId, password })).rejects.toMatchObject(refused);
    await server.as(other)(users.add, { firstName: "Iris", lastName: "Berg", email, type: Role.viewer });
    const link = await linkTo(server.world, email);
    await expect(server.as()(registration.join, { ...link, password })).rejects.toMatchObject(refused);
    expect(await server.as()(registration.invitation, link), "still open").toMatchObject({ roleName: "Viewer" });
  });

  test("the owner whom the operator names keeps theirs", async () => {
    const { email } = kept;
    const signedIn = await server.as()(accounts.login, { email, password });
    await server.as(signedIn)(profile.update, { originalPwd: password, newPwd });
    await server.as()(passwords.askReset, { email });
    await server.as()(passwords.reset, { ...(await linkTo(server.world, email)), newPwd: password });
    await expect(server.as()(accounts.login, { email, password })).resolves.toMatchObject({ email });
  });

  test("one who is no owner keeps none, also when named", async () => {
    const admin = await withPassword(server.world, await anAdmin(server.world, kept));
    policy.keptFor = admin.email;
    await expect(server.as()(accounts.login, { email: admin.email, password })).rejects.toMatchObject(refused);
    policy.keptFor = kept.email;
  });
});
