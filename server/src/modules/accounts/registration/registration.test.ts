import { DeviceType, devices } from "@telltale/contract/domains/devices";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDevice, anUnclaimedDevice } from "../../../test/test-devices.ts";
import { linkTo, mailsTo } from "../../../test/test-mail.ts";
import { anOwner } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { mailInvitation } from "../invitations/queries.ts";
import { createAccount, createUser } from "../records/create.ts";

let server: TestServer;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const password = "correct horse";
const anEmail = () => `new.${++count}@example.test`;
const register = (email: string, telltaleId: string, more = {}) =>
  server.as()(registration.register, { email, telltaleId, password, ...more });
const login = (email: string, secret = password) => server.as()(accounts.login, { email, password: secret });
/** Mail limits reset within ten minutes. */
const later = () => server.world.clock.pass(601_000);

const aRegistered = async () => {
  later();
  const email = anEmail();
  const unit = await anUnclaimedDevice(server.world);
  await register(email, unit.deviceSnId, { timeZoneId: "Europe/Berlin" });
  await server.as()(registration.confirm, await linkTo(server.world, email));
  return { email, unit };
};

describe("registering", () => {
  test("with a device ID makes, once the mailed link is opened, an owner whose plant has that device", async () => {
    const { email, unit } = await aRegistered();
    const user = await login(email.toUpperCase());
    expect(user.hasInfo).toBe(false);
    const person = { company: "Nordhafen", industry: "Energy", firstName: "Ida", lastName: "Rehm" } as const;
    await server.as(user)(profile.introduce, person);
    const introduced = await server.as(user)(accounts.info);
    expect(introduced).toMatchObject({ hasInfo: true, accounts: [{ firstAlias: "Nordhafen", alias: "Nordhafen" }] });
    expect(user.accounts).toMatchObject([{ roleType: Role.owner, isShow: 1 }]);
    expect(user).toMatchObject({ activeIndex: 0, telltaleSnId: unit.deviceSnId });
    const { data } = await server.as(user)(devices.list);
    expect(data).toMatchObject([{ deviceId: unit.deviceId, deviceName: unit.deviceSn }]);
    const detail = await server.as(user)(devices.detail, { deviceId: unit.deviceId });
    expect(detail.device.timeZoneId).toBe("Europe/Berlin");
  });

  test("nobody can sign in before the link was opened, and the device stays free for others until then", async () => {
    const [email, second] = [anEmail(), anEmail()];
    const unit = await anUnclaimedDevice(server.world);
    await register(email, unit.deviceSnId);
    const [mail] = await mailsTo(server.world, email);
    expect(mail?.paragraphs.join(" "), "who may not have registered").toContain("If that was not you, do not confirm");
    await expect(login(email)).rejects.toMatchObject({ code: 422 });
    await register(second, unit.deviceSnId);
    await server.as()(registration.confirm, await linkTo(server.world, second));
    await server.as()(registration.confirm, await linkTo(server.world, email));
    const [first, other] = [await login(email), await login(second)];
    expect((await server.as(other)(devices.list)).total).toBe(1);
    expect((await server.as(first)(devices.list)).total).toBe(0);
  });

  test("a link works once, for its own address, for an hour, and not after a newer one was sent", async () => {
    later();
    const [email, stranger] = [anEmail(), anEmail()];
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    await register(email, deviceSnId);
    const first = await linkTo(server.world, email);
    const open = (link: typeof first) => server.as()(registration.confirm, link);
    await server.as()(registration.resend, { email });
    await expect(open(first)).rejects.toMatchObject({ code: 422, message: expect.stringContaining("too old") });
    const second = await linkTo(server.world, email);
    await expect(open({ ...second, email: stranger })).rejects.toMatchObject({ code: 422 });
    await server.as()(registration.resend, { email });
    const third = await linkTo(server.world, email);
    server.world.clock.pass(3_600_001);
    await expect(open(third)).rejects.toMatchObject({ code: 422 });
    await server.as()(registration.resend, { email });
    const fourth = await linkTo(server.world, email);
    await open(fourth);
    await expect(open(fourth)).rejects.toMatchObject({ code: 422 });
    await expect(login(email)).resolves.toMatchObject({ email });
  });

  test("with an address that is registered answers the same; only its owner learns of it, by mail", async () => {
    const { email } = await aRegistered();
    const { deviceSnId } = await anUnclaimedDevice(server.world);
    await expect(register(email, deviceSnId, { password: "another password" })).resolves.toBeNull();
    const mail = (await mailsTo(server.world, email)).at(-1);
    expect(mail?.subject).toBe("You have an account already");
    await expect(login(email)).resolves.toMatchObject({ email });
    await expect(login(email, "another password")).rejects.toMatchObject({ code: 422 });
    await expect(server.as()(registration.resend, { email: anEmail() })).resolves.toBeNull();
  });

  test("needs a free main device", async () => {
    later();
    const owner = await anOwner(server.world);
    const claimed = await aDevice(server.world, owner);
    const sub = await anUnclaimedDevice(server.world, { deviceType: DeviceType.sub });
    await expect(register(anEmail(), "NOWHERE")).rejects.toMatchObject({ code: 404 });
    await expect(register(anEmail(), claimed.deviceSnId)).rejects.toMatchObject({ code: 409 });
    await expect(register(anEmail(), sub.deviceSnId)).rejects.toMatchObject({ code: 422 });
  });

  test.each([
    [{ email: "nobody" }, "Please enter a valid email address"],
    [{ telltaleId: "" }, "Please enter a Device ID"],
    [{ password: "1234567" }, "Password must be a minimum of 8 characters"],
    [{ confirmPassword: "something else" }, "Passwords do not match"],
    [{ terms: "" }, "Please agree with Terms of Use and Privacy Policy"],
  ])("%j is refused with '%s'", async (wrong, message) => {
    const input = {
      email: "a@example.test",
      telltaleId: "X",
      password,
      confirmPassword: password,
      terms: "1",
      ...wrong,
    };
    const answer = await server.app.inject({ method: "POST", url: "/api/register", payload: input });
    expect(answer.json()).toMatchObject({ code: 422, msg: message });
  });

  test("that nobody confirms can be taken up for a week, and is then deleted with the password's hash", async () => {
    later();
    const email = anEmail();
    const linksOf = async () => {
      const links = await server.world.db
        .selectFrom("mail_links")
        .select("detail")
        .where("email", "=", email)
        .execute();
      return links.length;
    };
    const anotherRegisters = async () => register(anEmail(), (await anUnclaimedDevice(server.world)).deviceSnId);
    await register(email, (await anUnclaimedDevice(server.world)).deviceSnId);
    server.world.clock.pass(6 * 86_400_000);
    await anotherRegisters();
    await server.as()(registration.resend, { email });
    expect(await mailsTo(server.world, email)).toHaveLength(2);
    expect(await linksOf()).toBe(1);
    server.world.clock.pass(8 * 86_400_000);
    await anotherRegisters();
    expect(await linksOf()).toBe(0);
  });

  test("the sixth mail to one address within ten minutes is refused with the wait", async () => {
    later();
    const email = anEmail();
    for (let i = 0; i < 5; i++) await server.as()(registration.resend, { email });
    const sixth = server.as()(registration.resend, { email });
    await expect(sixth).rejects.toMatchObject({ code: 429, message: "Too many tries. Please try again in 10 minutes" });
  });
});

describe("an invitation", () => {
  const anInvitation = async (known?: { userId: number; email: string }) => {
    const { db, clock, publicUrl } = server.world;
    const owner = await anOwner(server.world);
    const email = known?.email ?? anEmail();
    const userId = known?.userId ?? (await createUser(db, { email, passwordHash: null }, clock.date()));
    const member = { userId, plantId: owner.plantId, roleType: Role.viewer, isActive: false };
    const accountId = await createAccount(db, member, clock.date());
    await mailInvitation(db, { accountId, invitedBy: "Olga Tester", publicUrl, now: clock.date() });
    return { email, owner, accountId, link: await linkTo(server.world, email) };
  };
  const join = (link: object, secret = password) => server.as()(registration.join, { ...link, password: secret });

  test("lets a new user set a password and join; it works once", async () => {
    const { email, link, accountId } = await anInvitation();
    expect(link.pathname).toBe("/register");
    await expect(login(email)).rejects.toMatchObject({ code: 422 });
    await expect(server.as()(registration.invitation, link)).resolves.toMatchObject({
      roleName: "Viewer",
      invitedBy: "Olga Tester",
      isRegistered: false,
    });
    await join(link);
    expect((await login(email)).accounts).toMatchObject([{ accountId, roleType: Role.viewer }]);
    await expect(join(link)).rejects.toMatchObject({ code: 422 });
    await expect(server.as()(registration.invitation, link)).rejects.toMatchObject({ code: 422 });
  });

  test("asks a user who has a password for that one, and leaves the account closed until it is right", async () => {
    const { email } = await aRegistered();
    const { userId, accounts: before } = await login(email);
    const { link } = await anInvitation({ userId, email });
    await expect(server.as()(registration.invitation, link)).resolves.toMatchObject({ isRegistered: true });
    await expect(join(link, "not the password")).rejects.toMatchObject({ code: 422 });
    expect((await login(email)).accounts).toHaveLength(before.length);
    await join(link);
    expect((await login(email)).accounts).toHaveLength(before.length + 1);
  });

  test("is of no use under another address or after seven days", async () => {
    const { link } = await anInvitation();
    await expect(join({ ...link, email: "stranger@example.test" })).rejects.toMatchObject({ code: 422 });
    server.world.clock.pass(7 * 86_400_000 + 1);
    await expect(join(link)).rejects.toMatchObject({ code: 422, message: expect.stringContaining("too old") });
  });
});

describe("a forgotten password", () => {
  const ask = (email: string) => server.as()(passwords.askReset, { email });
  const reset = (link: object, newPwd: string) => server.as()(passwords.reset, { ...link, newPwd });

  test("is replaced by the mailed link; every session ends, and the user gets a mail", async () => {
    const { email } = await aRegistered();
    const session = await login(email);
    await ask(email);
    await reset(await linkTo(server.world, email), "battery staple");
    await expect(server.as(session)(accounts.info)).rejects.toMatchObject({ code: 401 });
    await expect(login(email)).rejects.toMatchObject({ code: 422 });
    await expect(login(email, "battery staple")).resolves.toMatchObject({ email });
    expect((await mailsTo(server.world, email)).at(-1)?.subject).toBe("Your password was changed");
  });

  test("an unknown address is answered the same and gets no mail", async () => {
    const email = anEmail();
    await expect(ask(email)).resolves.toBeNull();
    expect(await mailsTo(server.world, email)).toEqual([]);
  });

  test("a link works once, for its own address, for an hour, and two who use it at the same time are one", async () => {
    const { email } = await aRegistered();
    const other = await aRegistered();
    await ask(email);
    const link = await linkTo(server.world, email);
    await expect(reset({ ...link, email: other.email }, "stolen password")).rejects.toMatchObject({ code: 422 });
    const tries = await Promise.allSettled([reset(link, "password one"), reset(link, "password two")]);
    expect(tries.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    later();
    await ask(email);
    const late = await linkTo(server.world, email);
    server.world.clock.pass(3_600_001);
    await expect(reset(late, "battery staple")).rejects.toMatchObject({
      code: 422,
      message: "This link has been used or is too old. Please ask for a new one",
    });
  });

  test.each([
    ["/api/user/update/password/sendEmail", { email: "x" }, "Enter the email address associated with your account"],
    ["/api/user/update/password", { newPwd: "short" }, "Set a password of no less than 8 characters"],
    ["/api/user/update/password", { confirmPwd: "different" }, "Passwords do not match"],
    [
      "/api/user/update/password",
      { accessToken: "" },
      "The link is incomplete: open the complete link from the e-mail",
    ],
  ])("%s with %j is refused with '%s'", async (url, wrong, message) => {
    const payload = { email: "a@example.test", newPwd: password, confirmPwd: password, accessToken: "x", ...wrong };
    const answer = await server.app.inject({ method: "POST", url, payload });
    expect(answer.json()).toMatchObject({ code: 422, msg: message });
  });
});
