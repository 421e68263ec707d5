import { channels } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { registration } from "@telltale/contract/domains/people/registration";
import { UserStatus, users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { linkTo, mailsTo } from "../../test/test-mail.ts";
import { aDeviceManager, anAdmin, anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { signIn } from "../accounts/sign-in/sign-in.ts";

let server: TestServer;
let owner: Person;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const asOwner = () => server.as(owner);
const anInvitee = (more = {}) => ({
  firstName: "Iris",
  lastName: "Berg",
  email: `iris.${++count}@example.test`,
  type: Role.viewer,
  ...more,
});
const listed = async (filter = {}) => (await asOwner()(users.list, filter)).data;
const rowOf = async (accountId: number) => {
  const row = (await listed()).find((user) => user.accountId === accountId);
  if (!row) throw new Error("The user is not listed");
  return row;
};

describe("invitations", () => {
  test("to one address are mailed five times within ten minutes, whichever plant asks, and again later", async () => {
    const { email } = anInvitee();
    const { accountId } = await asOwner()(users.add, anInvitee({ email }));
    for (let times = 0; times < 4; times += 1) await asOwner()(users.invite, { accountId });
    const tooMany = { code: 429, message: "Too many tries. Please try again in 10 minutes" };
    await expect(asOwner()(users.invite, { accountId })).rejects.toMatchObject(tooMany);
    const stranger = await anOwner(server.world);
    await expect(server.as(stranger)(users.add, anInvitee({ email }))).rejects.toMatchObject(tooMany);
    server.world.clock.pass(600_000);
    await asOwner()(users.invite, { accountId });
  });

  describe("of one plant", () => {
    const hour = 3_600_000;
    let keeper: Person;
    const invite = (more = {}) => server.as(keeper)(users.add, anInvitee(more));
    /** Signs in again later: a session does not last half a day. */
    const after = async (wait: number): Promise<void> => {
      server.world.clock.pass(wait);
      const visitor = { address: "192.0.2.1", userAgent: "test" };
      Object.assign(keeper, await signIn(server.world.db, server.world.clock.date(), visitor, keeper));
    };
    const inviteTimes = async (times: number) => {
      for (let n = 0; n < times; n += 1) await invite();
    };
    beforeEach(async () => {
      keeper = await anOwner(server.world);
    });

    test("that is new are ten an hour and twenty a day; what was refused does not count", async () => {
      const known = anInvitee();
      await server.as(keeper)(users.add, known);
      await expect(server.as(keeper)(users.add, known)).rejects.toMatchObject({ code: 409 });
      await inviteTimes(9);
      const most = "In its first week a plant can send 10 invitations an hour and 20 a day. The next can be sent";
      await expect(invite()).rejects.toMatchObject({ code: 429, message: `${most} in 60 minutes` });
      await server.as(await anOwner(server.world))(users.add, anInvitee());
      await after(hour);
      await inviteTimes(10);
      await after(hour);
      await expect(invite()).rejects.toMatchObject({ code: 429, message: `${most} in 22 hours` });
      await after(22 * hour);
      await invite();
    });

    test("grow with its age", async () => {
      await after(8 * 24 * hour);
      await inviteTimes(30);
      await expect(invite()).rejects.toMatchObject({ code: 429, message: expect.stringContaining("first month") });
      await after(23 * 24 * hour);
      await inviteTimes(100);
      const most = "A plant can send 100 invitations an hour and 500 a day. The next can be sent in 60 minutes";
      await expect(invite()).rejects.toMatchObject({ code: 429, message: most });
    });

    test("show who asks by the address, quote what people have typed, and take no name to click", async () => {
      for (const firstName of ["www.evil.com", "http://evil", "Ida\u202e", "Ida\nBcc: all"])
        await expect(invite({ firstName })).rejects.toMatchObject({ code: 422 });
      await server.world.db
        .updateTable("users")
        .set({ first_name: "Call www.evil.com\r\nnow", last_name: "\u202e" })
        .where("user_id", "=", keeper.userId)
        .execute();
      await server.world.db
        .updateTable("plants")
        .set({ name: "https://win.example now" })
        .where("plant_id", "=", keeper.plantId)
        .execute();
      const { email } = anInvitee();
      await invite({ email });
      const [letter] = await mailsTo(server.world, email);
      expect(letter?.subject).toBe("You are invited to “https: //win. example now”");
      expect(letter?.paragraphs[0]).toBe(
        `“Call www. evil. com now” (${keeper.email}) invites you to “https: //win. example now” on Telltale as Viewer.`,
      );
      const row = (await server.as(keeper)(users.list, {})).data.find((user) => user.userEmail === keeper.email);
      expect(row?.firstName, "what was kept before is read as it is").toBe("Call www.evil.com\r\nnow");
    });
  });
});

describe("a user who is added", () => {
  test("is inactive until the mailed invitation is answered, then signs in with the role given", async () => {
    const invitee = anInvitee({ cellNumber: "4915112345" });
    const { accountId } = await asOwner()(users.add, invitee);
    expect(await rowOf(accountId)).toMatchObject({
      userEmail: invitee.email,
      name: "Iris Berg",
      cellNumber: "4915112345",
      activate: UserStatus.inactive,
      roleName: "Viewer",
      parentAccountId: owner.plantId,
      loginTime: null,
    });
    await server.as()(registration.join, { ...(await linkTo(server.world, invitee.email)), password: "long enough" });
    const user = await server.as()(accounts.login, { email: invitee.email, password: "long enough" });
    expect(user).toMatchObject({ firstName: "Iris", accounts: [{ accountId, roleType: Role.viewer }] });
    const row = await rowOf(accountId);
    expect([row.activate, row.loginTime?.getTime()]).toEqual([UserStatus.active, server.world.clock.now()]);
  });

  test("is invited once more when asked, and not twice to the same plant", async () => {
    const invitee = anInvitee();
    const { accountId } = await asOwner()(users.add, invitee);
    await asOwner()(users.invite, { accountId });
    const link = await linkTo(server.world, invitee.email);
    await expect(asOwner()(users.add, invitee)).rejects.toMatchObject({ code: 409 });
    await server.as()(registration.join, { ...link, password: "long enough" });
    await expect(asOwner()(users.invite, { accountId })).rejects.toMatchObject({ code: 409 });
  });

  test("is called what they were called in the invitation, until they have answered, so that nobody's name is learned by inviting", async () => {
    const stranger = await anOwner(server.world);
    const { accountId } = await asOwner()(users.add, anInvitee({ email: stranger.email, cellNumber: "111" }));
    expect(await rowOf(accountId)).toMatchObject({ name: "Iris Berg", cellNumber: "111" });
    expect(await listed({ name: "olga" })).toMatchObject([{ accountId: owner.accountId }]);
    await asOwner()(users.edit, { accountId, firstName: "Irene" });
    expect(await rowOf(accountId)).toMatchObject({ name: "Irene Berg" });
    expect(await server.as(stranger)(accounts.info)).toMatchObject({ firstName: "Olga", cellNumber: "" });
  });

  test("of another role than viewer has no dashboard of their own", async () => {
    const dashboardId = await aDashboard(server.world, owner);
    const viewer = await asOwner()(users.add, anInvitee({ dashboardId }));
    const installer = await asOwner()(users.add, anInvitee({ type: Role.installer, dashboardId }));
    expect((await rowOf(viewer.accountId)).dashboardId).toBe(dashboardId);
    expect((await rowOf(installer.accountId)).dashboardId).toBeNull();
  });

  test("is given nothing of another plant", async () => {
    const stranger = await anOwner(server.world);
    const dashboardId = await aDashboard(server.world, stranger);
    await expect(asOwner()(users.add, anInvitee({ dashboardId }))).rejects.toMatchObject({ code: 404 });
    await expect(asOwner()(users.add, anInvitee({ alarmIds: [1] }))).rejects.toMatchObject({ code: 404 });
  });

  test.each([
    [{ firstName: " " }, "First name cannot be blank"],
    [{ lastName: "" }, "Last name cannot be blank"],
    [{ email: "" }, "Email address cannot be blank"],
    [{ email: "iris@" }, "Enter the correct email address"],
    [{ type: undefined }, "Please select a User Type"],
    [{ type: Role.owner }, "Please select a User Type"],
    [{ cellNumber: "12a" }, "Enter the number"],
    [{ cellNumber: "123456789012" }, "Enter the number"],
  ])("with %j is refused with '%s'", async (wrong, message) => {
    const url = `/api/user/add/user?token=${owner.token}`;
    const answer = await server.app.inject({ method: "POST", url, payload: anInvitee(wrong) });
    expect(answer.json()).toMatchObject({ code: 422, msg: message });
  });
});

describe("an edit", () => {
  test("holds at once in the user's open session", async () => {
    const device = await aDevice(server.world, owner);
    const [channel] = Object.values(device.channels);
    const shown = await aDashboard(server.world, owner, { channels: [channel as number] });
    const viewer = await aViewer(server.world, owner, await aDashboard(server.world, owner));
    expect(await server.as(viewer)(dashboards.tiles)).toEqual([]);
    await asOwner()(users.edit, { accountId: viewer.accountId, dashboardId: shown });
    expect(await server.as(viewer)(dashboards.tiles)).toHaveLength(1);
    const seen = (await rowOf(viewer.accountId)).channelNum;
    expect(seen, "the device shows all of its channels").toBe(Object.keys(device.channels).length);
    for (const deviceChannelId of Object.values(device.channels))
      await expect(server.as(viewer)(channels.value, { deviceChannelId })).resolves.toBeDefined();
    await asOwner()(users.edit, { accountId: viewer.accountId, type: Role.installer });
    await expect(server.as(viewer)(dashboards.tiles)).rejects.toMatchObject({ code: 403 });
    expect((await rowOf(viewer.accountId)).dashboardId).toBeNull();
  });

  test("of two people is refused for the second, and nothing of it is saved", async () => {
    const admin = await anAdmin(server.world, owner);
    const viewer = await aViewer(server.world, owner);
    const { accountId, version } = await rowOf(viewer.accountId);
    await server.as(admin)(users.edit, { accountId, version, type: Role.installer });
    await expect(asOwner()(users.edit, { accountId, version, type: Role.deviceManager })).rejects.toMatchObject({
      code: 409,
      message: "Another user has changed this in the meantime. Please review it and try again",
    });
    expect((await rowOf(accountId)).roleType).toBe(Role.installer);
  });

  test("never touches the owner, one's own role, or another plant's users", async () => {
    const admin = await anAdmin(server.world, owner);
    const stranger = await aViewer(server.world, await anOwner(server.world));
    const asAdmin = server.as(admin);
    const demote = (accountId: number) => asAdmin(users.edit, { accountId, type: Role.viewer });
    await expect(demote(owner.accountId)).rejects.toMatchObject({ code: 422 });
    await expect(demote(admin.accountId)).rejects.toMatchObject({ code: 422 });
    await expect(demote(stranger.accountId)).rejects.toMatchObject({ code: 404 });
  });
});

describe("a user who is deleted", () => {
  test("is signed out, gone from the list, and may be added again under the same account", async () => {
    const manager = await aDeviceManager(server.world, owner);
    await asOwner()(users.remove, { accountId: manager.accountId });
    await expect(server.as(manager)(accounts.info)).rejects.toMatchObject({ code: 401 });
    expect((await listed()).map((user) => user.accountId)).toEqual([owner.accountId]);
    const again = await asOwner()(users.add, anInvitee({ email: manager.email }));
    expect(again.accountId).toBe(manager.accountId);
    expect((await rowOf(again.accountId)).activate).toBe(UserStatus.inactive);
  });

  test("can no longer answer the invitation", async () => {
    const invitee = anInvitee();
    const { accountId } = await asOwner()(users.add, invitee);
    const link = await linkTo(server.world, invitee.email);
    await asOwner()(users.remove, { accountId });
    await expect(server.as()(registration.join, { ...link, password: "long enough" })).rejects.toMatchObject({
      code: 422,
    });
  });

  test("is neither the owner, oneself, nor another plant's", async () => {
    const admin = await anAdmin(server.world, owner);
    const stranger = await aViewer(server.world, await anOwner(server.world));
    const remove = (accountId: number) => server.as(admin)(users.remove, { accountId });
    await expect(remove(owner.accountId)).rejects.toMatchObject({ code: 422 });
    await expect(remove(admin.accountId)).rejects.toMatchObject({ code: 422 });
    await expect(remove(stranger.accountId)).rejects.toMatchObject({ code: 404 });
  });
});

test("the list has the owner first and is filtered by each of its fields", async () => {
  const viewer = await aViewer(server.world, owner);
  server.world.clock.pass(2 * 3_600_000);
  const manager = await aDeviceManager(server.world, owner);
  const { accountId } = await asOwner()(users.add, anInvitee({ cellNumber: "5550001111" }));
  const found = async (filter: object) => (await listed(filter)).map((user) => user.accountId);
  const all = [owner.accountId, manager.accountId, viewer.accountId, accountId];
  expect(await found({})).toEqual(all);
  expect(await found({ activate: [0] })).toEqual([accountId]);
  expect(await found({ roleType: [Role.viewer, Role.deviceManager] })).toEqual(all.slice(1));
  expect(await found({ name: "dmitri t" })).toEqual([manager.accountId]);
  expect(await found({ userEmail: viewer.email.toUpperCase() })).toEqual([viewer.accountId]);
  expect(await found({ phone: "0001" })).toEqual([accountId]);
  const anHourAgo = new Date(server.world.clock.now() - 3_600_000);
  expect(await found({ createdStartTime: anHourAgo })).toEqual([manager.accountId, accountId]);
  expect(await found({ loginEndTime: anHourAgo })).toEqual([owner.accountId, viewer.accountId]);
  expect(await found({ page: 2, size: 3 })).toEqual([accountId]);
});
