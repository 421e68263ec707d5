import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { passwords } from "@telltale/contract/domains/people/registration";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { password, withPassword } from "../../test/test-passwords.ts";
import { anAdmin, anOwner, aSupportView, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { newMailLink } from "../accounts/mail/links.ts";
import { hashPassword } from "../accounts/passwords/password.ts";
import { createAccount, createUser } from "../accounts/records/create.ts";
import { signIn } from "../accounts/sign-in/sign-in.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const infoOf = (person: { token: string }) => server.as(person)(accounts.info);
const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const auditOf = (person: Person) =>
  server.world.db
    .selectFrom("audit_log")
    .select(["action", "detail", "plant_id", "user_id"])
    .where("user_id", "=", person.userId)
    .orderBy("audit_id")
    .execute();
const signedInAgain = async ({ userId, accountId }: Person) =>
  signIn(
    server.world.db,
    server.world.clock.date(),
    { address: "192.0.2.9", userAgent: "test" },
    { userId, accountId },
  );

describe("the introduction of a new user", () => {
  test("fills in the person, and hasInfo is true from then on", async () => {
    const { world } = server;
    const owner = await anOwner(world);
    const userId = await createUser(world.db, { email: "new@example.test", passwordHash: "" }, world.clock.date());
    const member = { userId, plantId: owner.plantId, roleType: 5 as const };
    const accountId = await createAccount(world.db, member, world.clock.date());
    const newcomer = await signedInAgain({ ...owner, userId, accountId });
    expect(await infoOf(newcomer)).toMatchObject({ hasInfo: false });
    const info = { company: "Mill", industry: "Energy", firstName: "Nora", lastName: "New" } as const;
    await server.as(newcomer)(profile.introduce, info);
    expect(await infoOf(newcomer)).toMatchObject({ ...info, hasInfo: true, cellNumber: "" });
  });

  test.each([
    [{ industry: "Energy", firstName: "A", lastName: "B" }, "Enter your company name cannot be blank"],
    [{ company: "C", industry: " ", firstName: "A", lastName: "B" }, "Enter industry cannot be blank"],
    [{ company: "C", industry: "Alchemy", firstName: "A", lastName: "B" }, "Choose an industry from the list"],
    [{ company: "C", industry: "Energy", firstName: " ", lastName: "B" }, "Enter your first name cannot be blank"],
    [{ company: "C", industry: "Energy", firstName: "A" }, "Enter your last name cannot be blank"],
    [
      { company: "C", industry: "Energy", firstName: "A", lastName: "B", cellNumber: "123" },
      "Incorrect formatting of mobile phone number",
    ],
  ])("asks in the specification's words: %j", async (info, message) => {
    const owner = await anOwner(server.world);
    await expect(server.as(owner)(profile.introduce, info as never)).rejects.toEqual(refusal(422, message));
  });
});

describe("a page of the profile", () => {
  test("saves its own fields, leaves the others, and the audit log says which and by whom", async () => {
    const owner = await anOwner(server.world);
    const before = await infoOf(owner);
    await server.as(owner)(profile.update, { company: "Works" });
    await server.as(owner)(profile.update, { firstName: "Olivia", lastName: "Owen" });
    await server.as(owner)(profile.update, { cellNumber: "01234567890" });
    const changed = { company: "Works", firstName: "Olivia", lastName: "Owen", cellNumber: "01234567890" };
    expect(await infoOf(owner)).toEqual({ ...before, ...changed });
    const entry = { action: "profile.update", plant_id: owner.plantId, user_id: owner.userId };
    expect(await auditOf(owner)).toEqual([
      { ...entry, detail: { changed: ["company"] } },
      { ...entry, detail: { changed: ["firstName", "lastName"] } },
      { ...entry, detail: { changed: ["cellNumber"] } },
    ]);
  });

  test.each([
    [{ company: " " }, "Company name cannot be blank"],
    [{ industry: "" }, "Enter industry cannot be blank"],
    [{ firstName: "A" }, "Last name cannot be blank"],
    [{ lastName: "B" }, "First name cannot be blank"],
    [{ firstAlias: "" }, "Alias cannot be blank"],
    [{ cellNumber: "123456789" }, "Incorrect formatting of mobile phone number"],
    [{ cellNumber: "123456789012" }, "Incorrect formatting of mobile phone number"],
    [{ avatar: "" }, "Please upload a profile photo"],
    [{ originalPwd: "", newPwd: "long enough" }, "Current password cannot be blank"],
    [{ newPwd: "long enough" }, "Current password cannot be blank"],
    [{ originalPwd: "a" }, "New password cannot be blank"],
    [{ originalPwd: "a", newPwd: "" }, "New password cannot be blank"],
    [{ originalPwd: "a", newPwd: "short" }, "Set a password of no less than 8 characters"],
    [{ originalPwd: "a", newPwd: "long enough", confirmPwd: "long enoug" }, "Passwords do not match"],
  ])("refuses %j in the specification's words", async (fields, message) => {
    const owner = await anOwner(server.world);
    const answer = await server.app.inject({
      method: "POST",
      url: `${profile.update.path}?token=${owner.token}`,
      payload: fields,
    });
    expect(answer.json()).toMatchObject({ code: 422, msg: message });
  });

  test("can't be saved from a support view, whose plant and person stay as they are", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const support = server.as(await aSupportView(server.world, owner));
    const before = await infoOf(owner);
    const readOnly = refusal(403, "This is a read-only support view");
    await expect(support(profile.update, { company: "Mine" })).rejects.toEqual(readOnly);
    await expect(support(profile.update, { originalPwd: password, newPwd: "long enough" })).rejects.toEqual(readOnly);
    await expect(support(profile.changeAlias, { accountId: owner.accountId, alias: "Mine" })).rejects.toEqual(readOnly);
    const info = { company: "Mine", industry: "Energy", firstName: "A", lastName: "B" } as const;
    await expect(support(profile.introduce, info)).rejects.toEqual(readOnly);
    expect(await infoOf(owner)).toEqual(before);
  });
});

describe("the alias", () => {
  test("of an owner is the plant's name, for everybody in it", async () => {
    const owner = await anOwner(server.world);
    const admin = await anAdmin(server.world, owner);
    await server.as(owner)(profile.changeAlias, { accountId: owner.accountId, alias: "North mill" });
    expect((await infoOf(owner)).accounts).toMatchObject([{ alias: "North mill", firstAlias: "North mill" }]);
    expect((await infoOf(admin)).accounts).toMatchObject([{ alias: "", firstAlias: "North mill" }]);
  });

  test("of a member is the member's own", async () => {
    const owner = await anOwner(server.world);
    const plantName = (await infoOf(owner)).accounts[0]?.firstAlias;
    const viewer = await aViewer(server.world, owner);
    await server.as(viewer)(profile.update, { firstAlias: "Night shift" });
    expect((await infoOf(viewer)).accounts).toMatchObject([{ alias: "Night shift", firstAlias: plantName }]);
  });

  test("of another account of the user's may be changed from any of them, of nobody else's", async () => {
    const { world } = server;
    const [owner, other] = [await anOwner(world), await anOwner(world)];
    const member = { userId: owner.userId, plantId: other.plantId, roleType: 2 as const };
    const accountId = await createAccount(world.db, member, world.clock.date());
    await server.as(owner)(profile.changeAlias, { accountId, alias: "Their plant" });
    expect((await infoOf(owner)).accounts).toMatchObject([{}, { accountId, alias: "Their plant" }]);
    expect(await auditOf(owner)).toMatchObject([
      { action: "account.alias", plant_id: other.plantId, detail: { accountId, alias: "Their plant" } },
    ]);
    const theirs = { accountId: other.accountId, alias: "Mine" };
    await expect(server.as(owner)(profile.changeAlias, theirs)).rejects.toEqual(refusal(404));
    expect((await infoOf(other)).accounts[0]?.alias).not.toBe("Mine");
  });
});

describe("a new password", () => {
  const change = (person: { token: string }, originalPwd = password, newPwd = "another horse") =>
    server.as(person)(profile.update, { originalPwd, newPwd, confirmPwd: newPwd });

  test("signs in from then on, the old one does not, and only this session goes on", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const [elsewhere, support] = [await signedInAgain(owner), await aSupportView(server.world, owner)];
    const ended: string[] = [];
    const stop = server.world.bus.on("signOut", ({ tokenHash }) => ended.push(tokenHash));
    await change(owner);
    stop();
    expect(ended).toHaveLength(2);
    await expect(infoOf(owner)).resolves.toBeDefined();
    await expect(infoOf(elsewhere)).rejects.toEqual(refusal(401));
    await expect(infoOf(support)).rejects.toEqual(refusal(401));
    const { email } = owner;
    await expect(server.as()(accounts.login, { email, password })).rejects.toEqual(refusal(422));
    await expect(server.as()(accounts.login, { email, password: "another horse" })).resolves.toBeDefined();
  });

  test("ends the links that would set another, is reported by mail and in the audit log, which holds no password", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const { db, clock } = server.world;
    const { email } = owner;
    const accessToken = await newMailLink(db, { purpose: "reset", email: email.toUpperCase(), now: clock.date() });
    await change(owner);
    const reset = server.as()(passwords.reset, { email, newPwd: "a third horse", accessToken });
    await expect(reset).rejects.toEqual(refusal(422));
    const mails = await db.selectFrom("outbox").select("subject").where("recipient", "=", email).execute();
    expect(mails).toEqual([{ subject: "Your password was changed" }]);
    const audit = await auditOf(owner);
    expect(audit.map(({ action }) => action)).toEqual(["password.change"]);
    expect(JSON.stringify(audit)).not.toMatch(/horse|argon2/);
  });

  test("needs the current one, and ten wrong guesses slow down", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const wrong = refusal(422, "The current password is incorrect");
    for (let i = 0; i < 10; i += 1) await expect(change(owner, `guess ${i}`)).rejects.toEqual(wrong);
    await expect(change(owner)).rejects.toEqual(refusal(429, "Too many tries. Please try again in 5 minutes"));
    server.world.clock.pass(5 * 60_000);
    await expect(change(owner)).resolves.toBeNull();
  });

  test("of two at the same time is one of them, and the other gets an error", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const answers = await Promise.allSettled([
      change(owner, password, "horse one"),
      change(owner, password, "horse two"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a sign-in checked against the old password while the new one was saved is refused", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const { email, userId } = owner;
    const newHash = await hashPassword("another horse");
    let late: Promise<unknown> = Promise.resolve();
    await server.world.db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ password_hash: newHash }).where("user_id", "=", userId).execute();
      late = server
        .as()(accounts.login, { email, password })
        .catch((fault: unknown) => fault);
      // Waits until the sign-in is blocked by this transaction.
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      const isWaiting = async () => (await server.world.pool.query(waiting)).rows.length > 0;
      await vi.waitUntil(isWaiting, { timeout: 10_000 });
    });
    expect(await late).toEqual(refusal(422));
  });

  test("that is refused changes nothing else either", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const fields = { company: "Changed", originalPwd: "wrong horse", newPwd: "another horse" };
    await expect(server.as(owner)(profile.update, fields)).rejects.toEqual(refusal(422));
    expect(await infoOf(owner)).toMatchObject({ company: "Test" });
  });
});
