import { Code } from "@telltale/contract/call/codes";
import { audit } from "@telltale/contract/domains/audit";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { signIns } from "@telltale/contract/domains/people/sign-ins";
import { singleSignOn } from "@telltale/contract/domains/people/single-sign-on";
import { site } from "@telltale/contract/domains/people/site";
import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../../platform/log.ts";
import { openBrowser, type TestBrowser } from "../../../test/test-browser.ts";
import { testClock } from "../../../test/test-clock.ts";
import { linkTo } from "../../../test/test-mail.ts";
import { anAdmin, anOwner, aViewer, type Person } from "../../../test/test-people.ts";
import { redirectUri, startTestProvider, type TestProvider } from "../../../test/test-provider.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createProvider } from "./provider.ts";

let provider: TestProvider;
let server: TestServer;
const roles = [
  { group: "plant-admins", role: Role.admin },
  { group: "watchers", role: Role.viewer },
  { group: "masters", role: Role.owner },
];

beforeAll(async () => {
  provider = await startTestProvider({ roles });
  server = await startTestServer({
    provider: createProvider({ log: createLog("silent"), clock: testClock() }, provider.settings, redirectUri),
    support: { email: "help@riverside.example" },
  });
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

let count = 0;
const anEmail = (): string => `sso.${++count}@riverside.example`;
const verified = (email: string, more: object = {}) => provider.person({ email, email_verified: true, ...more });

interface Attempt {
  browser?: TestBrowser;
  link?: { email: string; accessToken: string };
}

/** Goes to the provider and comes back; returns the answer to the console. */
const signInAs = async (subject: string, { browser = openBrowser(server.app), link }: Attempt = {}) => {
  const { result } = await browser.ask(singleSignOn.begin, {});
  const answer = await provider.visit(result.url, subject);
  return browser.ask(singleSignOn.finish, { answer, ...link });
};
const refused = (part: string) => ({ code: expect.any(Number), msg: expect.stringContaining(part), result: null });

const invite = async (owner: Person, email: string, type: Exclude<Role, 1> = Role.viewer) => {
  await server.as(owner)(users.add, { firstName: "Iris", lastName: "Berg", email, type });
  const { accessToken } = await linkTo(server.world, email);
  return { email, accessToken };
};
const auditOf = async (owner: Person) => (await server.as(owner)(audit.list, {})).data;

describe("a user with the verified address of the identity", () => {
  test("signs in, in the account used last; the list of sign-ins says by what", async () => {
    const owner = await anOwner(server.world);
    const answer = await signInAs(verified(owner.email.toUpperCase()));
    expect(answer).toMatchObject({ code: Code.success, result: { userId: owner.userId, isAdmin: false } });
    const rows = await server.as(answer.result)(signIns.list);
    expect(rows.map(({ isBySso, isCurrent }) => [isBySso, isCurrent])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(await auditOf(owner)).toMatchObject([{ action: "user.identity", email: owner.email }]);
    await server.as(answer.result)(accounts.signOut);
    await expect(server.as(answer.result)(accounts.info)).rejects.toMatchObject({ code: Code.notSignedIn });
  });

  test("stays signed in by single sign-on after a change of account", async () => {
    const owner = await anOwner(server.world);
    const { result } = await signInAs(verified(owner.email));
    const changed = await server.as(result)(accounts.change, { accountId: owner.accountId });
    expect(await server.as(changed)(signIns.list)).toContainEqual(
      expect.objectContaining({ isBySso: true, isCurrent: true }),
    );
  });

  test("is bound to the subject: another address there keeps the user, and the address's next person does not get it", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const subject = verified(owner.email);
    await signInAs(subject);
    provider.change(subject, { email: other.email });
    expect((await signInAs(subject)).result.userId).toBe(owner.userId);
    provider.change(subject, { email_verified: false });
    expect((await signInAs(subject)).result.userId).toBe(owner.userId);
    expect(await signInAs(verified(owner.email))).toEqual(refused("belongs to another user of Riverside Works"));
    expect((await signInAs(verified(other.email))).result.userId).toBe(other.userId);
  });

  test("signs in twice at the same time", async () => {
    const owner = await anOwner(server.world);
    const subject = verified(owner.email);
    const browsers = [openBrowser(server.app), openBrowser(server.app)];
    const answers: { browser: TestBrowser; answer: string }[] = [];
    for (const browser of browsers) {
      const { result } = await browser.ask(singleSignOn.begin, {});
      answers.push({ browser, answer: await provider.visit(result.url, subject) });
    }
    const results = await Promise.all(
      answers.map(({ browser, answer }) => browser.ask(singleSignOn.finish, { answer })),
    );
    expect(results.map(({ code }) => code)).toEqual([Code.success, Code.success]);
  });

  test.each([
    ["is not verified", { email_verified: false }, "has not verified"],
    ["is not said to be verified", {}, "has not verified"],
  ])("is refused when it %s", async (_name, claims, part) => {
    const { email } = await anOwner(server.world);
    expect(await signInAs(provider.person({ email, ...claims }))).toEqual(refused(part));
  });

  test("is refused without an address", async () => {
    expect(await signInAs(provider.person({}))).toEqual(refused("did not send your e-mail address"));
  });

  test("of the demonstration that is off is refused", async () => {
    const owner = await anOwner(server.world);
    const { userIds } = server.world.closed;
    if (userIds instanceof Set) userIds.add(owner.userId);
    expect(await signInAs(verified(owner.email))).toEqual(refused("belongs to the demonstration, which is off"));
  });
});

describe("who was not invited", () => {
  test("is told whom to ask", async () => {
    const email = anEmail();
    expect(await signInAs(verified(email))).toEqual({
      code: Code.notAllowed,
      msg: `There is no account for ${email} on this server. Please ask the owner or an admin of your plant to invite this address, or write to help@riverside.example`,
      result: null,
    });
  });

  test("is told the same after the removal from the plant, and a later invitation admits again", async () => {
    const owner = await anOwner(server.world);
    const viewer = await aViewer(server.world, owner);
    const subject = verified(viewer.email);
    await signInAs(subject);
    await server.as(owner)(users.remove, { accountId: viewer.accountId });
    expect(await signInAs(subject)).toEqual(refused("There is no account for"));
    await invite(owner, viewer.email);
    expect((await signInAs(subject)).code).toBe(Code.success);
  });
});

describe("an invitation", () => {
  test("is accepted by the first sign-in of the invited address, with the inviter's names, and its link is used up", async () => {
    const owner = await anOwner(server.world);
    const link = await invite(owner, anEmail(), Role.deviceManager);
    const { result } = await signInAs(verified(link.email));
    expect(result).toMatchObject({ firstName: "Iris", accounts: [{ roleType: Role.deviceManager }] });
    expect(await auditOf(owner)).toMatchObject([{ action: "user.identity" }, { action: "user.join" }, {}]);
    expect(await signInAs(verified(anEmail()), { link })).toEqual(refused("There is no account for"));
    expect(await signInAs(provider.person({ email: link.email, email_verified: true }), { link })).toEqual(
      refused("belongs to another user"),
    );
  });

  test("of a user who has an account waits for its link", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const link = await invite(other, owner.email);
    const subject = verified(owner.email);
    expect((await signInAs(subject)).result.accounts).toHaveLength(1);
    expect((await signInAs(subject, { link })).result.accounts, "it is opened").toMatchObject([
      { isShow: 0 },
      { isShow: 1, roleType: Role.viewer },
    ]);
    expect(await signInAs(subject, { link })).toEqual(refused("This invitation has been used or is too old"));
  });

  test("is not accepted by another person, and stays open", async () => {
    const owner = await anOwner(server.world);
    const link = await invite(owner, anEmail());
    const other = await anOwner(server.world);
    expect(await signInAs(verified(other.email), { link })).toEqual(
      refused(`The invitation is for ${link.email}, and you have signed in as ${other.email}`),
    );
    expect((await signInAs(verified(link.email), { link })).code).toBe(Code.success);
  });

  test("that has expired is not accepted, with the link or without", async () => {
    const owner = await anOwner(server.world);
    const link = await invite(owner, anEmail());
    server.world.clock.pass(7 * 86_400_000 + 1);
    const subject = verified(link.email);
    expect(await signInAs(subject)).toEqual(refused("This invitation has been used or is too old"));
    expect(await signInAs(subject, { link })).toEqual(refused("This invitation has been used or is too old"));
  });
});

describe("groups at the provider", () => {
  const roleOf = async (subject: string) => (await signInAs(subject)).result.accounts[0]?.roleType;

  test("give the role at each sign-in, the highest of several, audited", async () => {
    const owner = await anOwner(server.world);
    const member = await aViewer(server.world, owner);
    const subject = verified(member.email, { groups: ["watchers", "plant-admins", "others"] });
    expect(await roleOf(subject)).toBe(Role.admin);
    provider.change(subject, { groups: "watchers" });
    expect(await roleOf(subject)).toBe(Role.viewer);
    provider.change(subject, { groups: ["others"] });
    expect(await roleOf(subject), "kept without a group").toBe(Role.viewer);
    const rows = (await auditOf(owner)).filter(({ action }) => action === "user.groups");
    expect(rows.map(({ changes }) => changes)).toEqual([
      [expect.objectContaining({ before: "Admin", after: "Viewer" })],
      [expect.objectContaining({ before: "Viewer", after: "Admin" })],
    ]);
  });

  test("make an owner only when the operator says so, and never take it from one", async () => {
    const owner = await anOwner(server.world);
    const admin = await anAdmin(server.world, owner);
    expect(await roleOf(verified(owner.email, { groups: ["watchers"] }))).toBe(Role.owner);
    const subject = verified(admin.email, { groups: ["owner", "owners"] });
    expect(await roleOf(subject)).toBe(Role.admin);
    provider.change(subject, { groups: ["masters"] });
    expect(await roleOf(subject)).toBe(Role.owner);
  });

  test("make an owner whom another owner can change and remove, and nobody else; the plant's own account stays", async () => {
    const owner = await anOwner(server.world);
    const admin = await anAdmin(server.world, owner);
    const { accountId, email } = await anAdmin(server.world, owner);
    const subject = verified(email, { groups: ["masters"] });
    const second = (await signInAs(subject)).result;
    const edit = (by: { token: string }, input: object, of = accountId) =>
      server.as(by)(users.edit, { accountId: of, ...input });
    const remove = (by: { token: string }, of = accountId) => server.as(by)(users.remove, { accountId: of });
    const refusal = (message: string) =>
      expect.objectContaining({ code: Code.invalid, message: expect.stringContaining(message) });
    const viewer = { type: Role.viewer };

    await expect(edit(admin, viewer)).rejects.toEqual(refusal("Only an owner"));
    await expect(remove(admin)).rejects.toEqual(refusal("Only an owner"));
    await expect(edit(second, viewer)).rejects.toEqual(refusal("your own User Type"));
    await expect(edit(second, viewer, owner.accountId)).rejects.toEqual(refusal("owns this plant"));
    await expect(remove(second, owner.accountId)).rejects.toEqual(refusal("owns this plant"));

    const typeOf = async () =>
      (await server.as(owner)(users.list, { userEmail: email })).data.map(({ roleType }) => roleType);
    await edit(owner, { alarmIds: [] });
    expect(await typeOf()).toEqual([Role.owner]);
    await edit(owner, viewer);
    expect(await typeOf()).toEqual([Role.viewer]);
    expect(await roleOf(subject), "while still in the group").toBe(Role.owner);
    await remove(owner);
    expect(await typeOf()).toEqual([]);
  });
});

test("the console learns the provider's name before anybody has signed in", async () => {
  expect(await server.as()(site.info)).toMatchObject({ singleSignOn: "Riverside Works", hasPasswords: true });
});
