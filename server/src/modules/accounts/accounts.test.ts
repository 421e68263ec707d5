import { accounts } from "@telltale/contract/domains/people/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { password, withPassword } from "../../test/test-passwords.ts";
import { anOwner, aSupportView, aViewer } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createAccount } from "./records/create.ts";
import { createSupportLink } from "./sign-in/support-view.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

const anOwnerWithPassword = async () => withPassword(server.world, await anOwner(server.world));

describe("login", () => {
  test("gives a token, the user and the account signed in to, whatever the case of the e-mail", async () => {
    const owner = await anOwnerWithPassword();
    const info = await server.as()(accounts.login, {
      email: ` ${owner.email.toUpperCase()} `,
      password,
    });
    expect(info).toMatchObject({ userId: owner.userId, email: owner.email, hasInfo: true, isAdmin: false });
    expect(info.accounts).toMatchObject([{ accountId: owner.accountId, isShow: 1, roleType: 1, roleName: "Owner" }]);
    await expect(server.as(info)(accounts.info)).resolves.toMatchObject({ token: info.token, userId: owner.userId });
  });

  test("keeps nothing of the token but its hash", async () => {
    const owner = await anOwnerWithPassword();
    const { token } = await server.as()(accounts.login, { email: owner.email, password });
    const rows = await server.world.db.selectFrom("sign_ins").select("token_hash").execute();
    expect(rows.some((row) => row.token_hash.includes(token))).toBe(false);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
  });

  test("answers a wrong password and an unknown e-mail with the same words", async () => {
    const owner = await anOwnerWithPassword();
    const answers = await Promise.all([
      server
        .as()(accounts.login, { email: owner.email, password: "wrong horse" })
        .catch((fault) => fault),
      server
        .as()(accounts.login, { email: "nobody@example.test", password: "wrong horse" })
        .catch((fault) => fault),
    ]);
    expect(answers[0]).toMatchObject({ code: 422, message: "The e-mail address or the password is not right" });
    expect(answers[1]).toMatchObject({ code: 422, message: answers[0].message });
  });

  test("asks for both fields in the specification's words", async () => {
    await expect(server.as()(accounts.login, { email: "a@example.test" })).rejects.toEqual(
      refusal(422, "Please enter username and password"),
    );
  });

  test("refuses after ten failed tries and says how long to wait, then forgets", async () => {
    const owner = await anOwnerWithPassword();
    const login = (guess: string) => server.as()(accounts.login, { email: owner.email, password: guess });
    const wait = (time: string) => refusal(429, `Too many tries. Please try again in ${time}`);
    for (let i = 0; i < 10; i += 1) await expect(login("wrong")).rejects.toEqual(refusal(422));
    await expect(login(password)).rejects.toEqual(wait("5 minutes"));
    server.world.clock.pass(90_000);
    await expect(login(password)).rejects.toEqual(wait("4 minutes"));
    server.world.clock.pass(150_000);
    await expect(login(password)).rejects.toEqual(wait("a minute"));
    server.world.clock.pass(60_000);
    await expect(login(password)).resolves.toMatchObject({ userId: owner.userId });
  });

  test("cannot be guessed faster by concurrent tries", async () => {
    const owner = await anOwnerWithPassword();
    const tries = Array.from({ length: 25 }, (_, i) =>
      server
        .as()(accounts.login, { email: owner.email, password: `guess ${i}` })
        .catch((fault) => fault.code),
    );
    const codes = await Promise.all(tries);
    expect(codes.filter((code) => code === 422)).toHaveLength(10);
    expect(codes.filter((code) => code === 429)).toHaveLength(15);
  });

  /** Signs in from this address; gives the code of the answer. */
  const codeFrom = async (remoteAddress: string, email: string, guess = "a guess"): Promise<number> => {
    const payload = { email, password: guess };
    return (await server.app.inject({ method: "POST", url: accounts.login.path, payload, remoteAddress })).json().code;
  };

  test("is no easier to guess from all the addresses that come with one IPv6 address", async () => {
    for (let n = 0; n < 50; n += 1)
      expect(await codeFrom(`2001:db8:1:2:${n}::1`, `nobody.${n}@example.test`)).toBe(422);
    expect(await codeFrom("2001:db8:1:2:ffff::1", "nobody.50@example.test")).toBe(429);
    expect(await codeFrom("2001:db8:1:3::1", "nobody.51@example.test")).toBe(422);
  });

  test("is not blocked for a user by wrong passwords tried from elsewhere", async () => {
    const { email } = await anOwnerWithPassword();
    for (let fiveMinutes = 0; fiveMinutes < 12; fiveMinutes += 1) {
      if (fiveMinutes > 0) server.world.clock.pass(300_000);
      for (let n = 0; n < 10; n += 1) expect(await codeFrom(`2001:db8:9:${n}::1`, email)).toBe(422);
      expect(await codeFrom("2001:db8:9:ffff::1", email, password), "from there").toBe(429);
    }
    expect(await codeFrom("192.0.2.1", email, password)).toBe(0);
  });

  test("is no easier to guess from many networks: the e-mail address has to wait then, wherever it signs in", async () => {
    const { email } = await anOwnerWithPassword();
    for (let n = 0; n < 20; n += 1) {
      const guesses = Array.from({ length: 10 }, () => codeFrom(`192.0.2.${n}`, email));
      expect(new Set(await Promise.all(guesses))).toEqual(new Set([422]));
    }
    expect(await codeFrom("192.0.2.99", email, password)).toBe(429);
    server.world.clock.pass(3_600_000);
    expect(await codeFrom("192.0.2.99", email, password)).toBe(0);
  });

  test("turns away a user whose only account is inactive", async () => {
    const owner = await anOwnerWithPassword();
    await server.world.db
      .updateTable("accounts")
      .set({ activate: false })
      .where("account_id", "=", owner.accountId)
      .execute();
    await expect(server.as()(accounts.login, { email: owner.email, password })).rejects.toEqual(refusal(403));
    await expect(server.as(owner)(accounts.info)).rejects.toEqual(refusal(401));
  });
});

describe("a token", () => {
  test("ends 12 h after its last use", async () => {
    const owner = await anOwner(server.world);
    server.world.clock.pass(11 * 3_600_000);
    await expect(server.as(owner)(accounts.info)).resolves.toBeDefined();
    server.world.clock.pass(11 * 3_600_000);
    await expect(server.as(owner)(accounts.info)).resolves.toBeDefined();
    server.world.clock.pass(12 * 3_600_000);
    await expect(server.as(owner)(accounts.info)).rejects.toEqual(refusal(401, "Login failed, please login again"));
  });

  test("ends with signing out, which closes its sockets", async () => {
    const owner = await anOwner(server.world);
    const ended: string[] = [];
    const stop = server.world.bus.on("signOut", ({ tokenHash }) => ended.push(tokenHash));
    await server.as(owner)(accounts.signOut);
    stop();
    expect(ended).toHaveLength(1);
    await expect(server.as(owner)(accounts.info)).rejects.toEqual(refusal(401));
  });
});

describe("switching the account", () => {
  test("gives a new token for the other plant and ends the old one", async () => {
    const { world } = server;
    const [owner, other] = [await anOwner(world), await anOwner(world)];
    const member = { userId: owner.userId, plantId: other.plantId, roleType: 3 as const };
    const accountId = await createAccount(world.db, member, world.clock.date());
    const info = await server.as(owner)(accounts.change, { accountId });
    expect(info.accounts.map((row) => [row.accountId, row.isShow, row.roleName])).toEqual([
      [owner.accountId, 0, "Owner"],
      [accountId, 1, "Device manager"],
    ]);
    expect(info.accounts[1]).toMatchObject({ parentAccountId: other.plantId, createdBy: "Olga Tester" });
    await expect(server.as(owner)(accounts.info)).rejects.toEqual(refusal(401));
  });

  test("never leads into another user's account", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    await expect(server.as(owner)(accounts.change, { accountId: other.accountId })).rejects.toEqual(refusal(404));
    await expect(server.as(owner)(accounts.info)).resolves.toBeDefined();
  });
});

describe("a support view", () => {
  const linkTo = (person: { accountId: number; userId: number; plantId: number }) =>
    createSupportLink(server.world, { ...person, madeBy: "Sue" });

  test("opens once, as the account, read-only, and leaves two audit rows", async () => {
    const viewer = await aViewer(server.world, await anOwner(server.world));
    const supportToken = await linkTo(viewer);
    const info = await server.as()(accounts.openSupportView, { supportToken });
    expect(info).toMatchObject({ userId: viewer.userId, isAdmin: true });
    await expect(server.as()(accounts.openSupportView, { supportToken })).rejects.toEqual(refusal(422));
    const audit = await server.world.db
      .selectFrom("audit_log")
      .select("action")
      .where("user_id", "=", viewer.userId)
      .execute();
    expect(audit.map((row) => row.action)).toEqual(["support.link", "support.open"]);
  });

  test("can't be opened after 60 minutes", async () => {
    const supportToken = await linkTo(await anOwner(server.world));
    server.world.clock.pass(60 * 60_000);
    await expect(server.as()(accounts.openSupportView, { supportToken })).rejects.toEqual(refusal(422));
  });

  test("ends after 60 minutes however much it is used, also when it changes the account", async () => {
    const { world } = server;
    const [owner, other] = [await anOwner(world), await anOwner(world)];
    const member = { userId: owner.userId, plantId: other.plantId, roleType: 2 as const };
    const accountId = await createAccount(world.db, member, world.clock.date());
    const support = await aSupportView(world, owner);
    world.clock.pass(59 * 60_000);
    const changed = await server.as(support)(accounts.change, { accountId });
    expect(changed.isAdmin).toBe(true);
    world.clock.pass(60_000);
    await expect(server.as(changed)(accounts.info)).rejects.toEqual(refusal(401));
  });
});
