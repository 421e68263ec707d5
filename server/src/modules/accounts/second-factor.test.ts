import { Message } from "@telltale/contract/call/codes";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { secondFactor } from "@telltale/contract/domains/people/sign-ins";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailsTo } from "../../test/test-mail.ts";
import { password, withPassword } from "../../test/test-passwords.ts";
import { anOwner, aSupportView, type Person } from "../../test/test-people.ts";
import { step, withSecondFactor } from "../../test/test-second-factors.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await withPassword(server.world, await anOwner(server.world));
});

const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const wrongCode = refusal(422, "The code is not right");
const codeNeeded = refusal(428, Message.codeNeeded);
const login = (code?: string, guess = password) =>
  server.as()(accounts.login, { email: owner.email, password: guess, ...(code === undefined ? {} : { code }) });
const state = () => server.as(owner)(secondFactor.state);
const statusesOf = async (tries: Promise<unknown>[]) =>
  (await Promise.allSettled(tries)).map(({ status }) => status).sort();

describe("turning it on", () => {
  test("needs the password and a code of the app, and asks for nothing before", async () => {
    const begin = (guess: string) => server.as(owner)(secondFactor.begin, { password: guess });
    await expect(begin("wrong horse")).rejects.toEqual(refusal(422, "The current password is incorrect"));
    await begin(password);
    expect(await state()).toEqual({ isOn: false, recoveryCodesLeft: 0 });
    await expect(login()).resolves.toBeDefined();
    await expect(server.as(owner)(secondFactor.turnOn, { code: "000 000" })).rejects.toEqual(wrongCode);
    await expect(login()).resolves.toBeDefined();
  });

  test("gives ten recovery codes, of which nothing is kept that could be shown again", async () => {
    const { recoveryCodes } = await withSecondFactor(server, owner);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
    expect(await state()).toEqual({ isOn: true, recoveryCodesLeft: 10 });
    const rows = await server.world.pool.query("select * from second_factors where user_id = $1", [owner.userId]);
    const kept = JSON.stringify(rows.rows[0], (_key, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
    );
    for (const code of recoveryCodes) expect(kept).not.toContain(code.replace("-", ""));
  });

  test("counts with the latest secret, and can't be begun anew while it is on", async () => {
    await server.as(owner)(secondFactor.begin, { password });
    const { app } = await withSecondFactor(server, owner);
    await expect(server.as(owner)(secondFactor.begin, { password })).rejects.toEqual(refusal(409));
    await expect(server.as(owner)(secondFactor.turnOn, { code: app(1) })).rejects.toEqual(refusal(409));
    await expect(login(app(1))).resolves.toBeDefined();
  });

  test("without having begun says what to do", async () => {
    await expect(server.as(owner)(secondFactor.turnOn, { code: "123456" })).rejects.toEqual(
      refusal(409, "Set the authenticator app up first"),
    );
  });

  test("is not for a support view", async () => {
    const support = server.as(await aSupportView(server.world, owner));
    const readOnly = refusal(403, Message.readOnly);
    await expect(support(secondFactor.begin, { password })).rejects.toEqual(readOnly);
    await expect(support(secondFactor.turnOn, { code: "123456" })).rejects.toEqual(readOnly);
    await expect(support(secondFactor.turnOff, { password, code: "123456" })).rejects.toEqual(readOnly);
    await expect(support(secondFactor.renewRecoveryCodes, { password, code: "123456" })).rejects.toEqual(readOnly);
  });
});

describe("signing in with a second factor", () => {
  test("asks for the code only after the right password", async () => {
    await withSecondFactor(server, owner);
    await expect(login()).rejects.toEqual(codeNeeded);
    await expect(login(undefined, "wrong horse")).rejects.toEqual(
      refusal(422, "The e-mail address or the password is not right"),
    );
    await expect(login("123456", "wrong horse")).rejects.toEqual(
      refusal(422, "The e-mail address or the password is not right"),
    );
  });

  test("takes the code of the app as people type it, once", async () => {
    const { app } = await withSecondFactor(server, owner);
    server.world.clock.pass(step);
    const code = app();
    await expect(login(`${code.slice(0, 3)} ${code.slice(3)}`)).resolves.toMatchObject({ userId: owner.userId });
    await expect(login(code)).rejects.toEqual(wrongCode);
    server.world.clock.pass(step);
    await expect(login(app())).resolves.toBeDefined();
  });

  test("does not take the code that turned it on, nor one before a used one", async () => {
    const { app } = await withSecondFactor(server, owner);
    await expect(login(app())).rejects.toEqual(wrongCode);
    server.world.clock.pass(2 * step);
    await expect(login(app(1))).resolves.toBeDefined();
    await expect(login(app())).rejects.toEqual(wrongCode);
    await expect(login(app(-1))).rejects.toEqual(wrongCode);
  });

  test("takes a code that is half a minute off, not more", async () => {
    const { app } = await withSecondFactor(server, owner);
    server.world.clock.pass(4 * step);
    await expect(login(app(-2))).rejects.toEqual(wrongCode);
    await expect(login(app(2))).rejects.toEqual(wrongCode);
    await expect(login(app(-1))).resolves.toBeDefined();
    await expect(login(app(1))).resolves.toBeDefined();
  });

  test("of two at once with one code one gets in", async () => {
    const { app, recoveryCodes } = await withSecondFactor(server, owner);
    expect(await statusesOf([login(app(1)), login(app(1))])).toEqual(["fulfilled", "rejected"]);
    const [code] = recoveryCodes;
    expect(await statusesOf([login(code), login(code)])).toEqual(["fulfilled", "rejected"]);
  });

  test("takes a recovery code once, however it is typed", async () => {
    const { recoveryCodes } = await withSecondFactor(server, owner);
    const [first = "", second = ""] = recoveryCodes;
    await expect(login(first.toLowerCase().replace("-", " "))).resolves.toBeDefined();
    await expect(login(first)).rejects.toEqual(wrongCode);
    await expect(login(second)).resolves.toBeDefined();
    expect(await state()).toEqual({ isOn: true, recoveryCodesLeft: 8 });
  });

  test("refuses another user's code", async () => {
    const other = await withPassword(server.world, await anOwner(server.world));
    const theirs = await withSecondFactor(server, other);
    await withSecondFactor(server, owner);
    await expect(login(theirs.recoveryCodes[0])).rejects.toEqual(wrongCode);
    await expect(login(theirs.app(1))).rejects.toEqual(wrongCode);
  });

  test("counts wrong codes as failed tries, which a right password alone does not make forgotten", async () => {
    const { app } = await withSecondFactor(server, owner);
    for (let i = 0; i < 5; i += 1) {
      await expect(login("000000", i % 2 ? password : "wrong horse")).rejects.toEqual(refusal(422));
      await expect(login()).rejects.toEqual(codeNeeded);
    }
    for (let i = 0; i < 5; i += 1) await expect(login("000000")).rejects.toEqual(wrongCode);
    await expect(login(app(1))).rejects.toEqual(refusal(429, "Too many tries. Please try again in 5 minutes"));
    server.world.clock.pass(5 * 60_000);
    await expect(login(app())).resolves.toBeDefined();
  });

  test("limits wrong codes over the day", async () => {
    const { app } = await withSecondFactor(server, owner);
    for (let i = 0; i < 20; i += 1) {
      if (i === 10) server.world.clock.pass(5 * 60_000);
      await expect(login("000000")).rejects.toEqual(wrongCode);
    }
    server.world.clock.pass(5 * 60_000);
    await expect(login(app())).rejects.toEqual(refusal(429, "Too many tries. Please try again in 50 minutes"));
    server.world.clock.pass(50 * 60_000);
    await expect(login(app())).resolves.toBeDefined();
  });

  test.each(["12345", "1234567", "abc", "ABCDE-FGHI1", "x".repeat(1000)])(
    "asks for a code when %.20s is none",
    async (code) => {
      const payload = { email: owner.email, password, code };
      const answer = await server.app.inject({ method: "POST", url: accounts.login.path, payload });
      expect(answer.json()).toMatchObject({ code: 422, msg: Message.codeNeeded });
    },
  );
});

describe("once it is on", () => {
  test("new recovery codes end the old ones", async () => {
    const { app, recoveryCodes } = await withSecondFactor(server, owner);
    const renewed = await server.as(owner)(secondFactor.renewRecoveryCodes, { password, code: app(1) });
    expect(renewed.recoveryCodes).toHaveLength(10);
    await expect(login(recoveryCodes[0])).rejects.toEqual(wrongCode);
    await expect(login(renewed.recoveryCodes[0])).resolves.toBeDefined();
  });

  test("turning it off needs password and code, and the code is then asked for no longer", async () => {
    const { app, recoveryCodes } = await withSecondFactor(server, owner);
    const turnOff = (guess: string, code: string) => server.as(owner)(secondFactor.turnOff, { password: guess, code });
    await expect(turnOff("wrong horse", app(1))).rejects.toEqual(refusal(422, "The current password is incorrect"));
    await expect(turnOff(password, "000000")).rejects.toEqual(wrongCode);
    await turnOff(password, recoveryCodes[0] ?? "");
    expect(await state()).toEqual({ isOn: false, recoveryCodesLeft: 0 });
    await expect(login()).resolves.toBeDefined();
    await expect(turnOff(password, app(1))).rejects.toEqual(refusal(409));
  });

  test("wrong codes are limited for signed-in users, too", async () => {
    const { app } = await withSecondFactor(server, owner);
    const turnOff = (code: string) => server.as(owner)(secondFactor.turnOff, { password, code });
    for (let i = 0; i < 10; i += 1) await expect(turnOff("000000")).rejects.toEqual(wrongCode);
    await expect(turnOff(app(1))).rejects.toEqual(refusal(429, "Too many tries. Please try again in 5 minutes"));
  });

  test("each change is mailed to its user and in the audit log, without a secret", async () => {
    const { app, recoveryCodes } = await withSecondFactor(server, owner);
    await server.as(owner)(secondFactor.renewRecoveryCodes, { password, code: app(1) });
    server.world.clock.pass(2 * step);
    await server.as(owner)(secondFactor.turnOff, { password, code: app() });
    const audit = await server.world.db
      .selectFrom("audit_log")
      .select(["action", "plant_id", "detail"])
      .where("user_id", "=", owner.userId)
      .orderBy("audit_id")
      .execute();
    const entry = { plant_id: owner.plantId, detail: {} };
    expect(audit).toEqual(["on", "renewed", "off"].map((what) => ({ ...entry, action: `secondFactor.${what}` })));
    const mails = await mailsTo(server.world, owner.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Two-step sign-in is on",
      "Your recovery codes were renewed",
      "Two-step sign-in is off",
    ]);
    expect(JSON.stringify([audit, mails])).not.toContain(recoveryCodes[0]);
  });
});
