import { hash } from "@node-rs/argon2";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { linkTo } from "../../test/test-mail.ts";
import { password, withPassword } from "../../test/test-passwords.ts";
import { anOwner } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createOwnerLink } from "./registration/first-owner.ts";

vi.mock("@node-rs/argon2", { spy: true });

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => void vi.mocked(hash).mockClear());

const email = "stranger@example.test";
const accessToken = "a guess";
const tooOld = { code: 422, message: expect.stringContaining("used or is too old") };

test("without the first owner's link no password is hashed", async () => {
  await createOwnerLink(server.world);
  const input = { secret: accessToken, email, plantName: "Mine", password, timeZoneId: "UTC" };
  await expect(server.as()(accounts.createFirstOwner, input)).rejects.toMatchObject(tooOld);
  expect(hash).not.toHaveBeenCalled();
});

test("without the mailed link no password is hashed", async () => {
  const known = await withPassword(server.world, await anOwner(server.world));
  vi.mocked(hash).mockClear();
  const visitor = server.as();
  for (const who of [known.email, email]) {
    await expect(visitor(passwords.reset, { email: who, newPwd: password, accessToken })).rejects.toMatchObject(tooOld);
    await expect(visitor(registration.join, { email: who, password, accessToken })).rejects.toMatchObject(tooOld);
  }
  const register = visitor(registration.register, { email, password, telltaleId: "NOWHERE" });
  await expect(register).rejects.toMatchObject({ code: 404 });
  expect(hash).not.toHaveBeenCalled();
  await visitor(passwords.askReset, { email: known.email });
  await visitor(passwords.reset, { ...(await linkTo(server.world, known.email)), newPwd: password });
  expect(hash).toHaveBeenCalledOnce();
});
