import type { AddressInfo } from "node:net";
import { audit } from "@telltale/contract/domains/audit";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { profile } from "@telltale/contract/domains/people/profile";
import { signIns } from "@telltale/contract/domains/people/sign-ins";
import { users } from "@telltale/contract/domains/people/users";
import { closedBySignOut, livePath } from "@telltale/contract/live";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { password, withPassword } from "../../../test/test-passwords.ts";
import { aDeviceManager, anAdmin, anOwner, aSupportView, aViewer, type Person } from "../../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../../test/test-server.ts";
import { createAccount } from "../records/create.ts";
import { signIn } from "./sign-in.ts";
import { createSupportLink } from "./support-view.ts";

let server: TestServer;
let port: number;

beforeAll(async () => {
  server = await startTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });
const listOf = (person: { token: string }) => server.as(person)(signIns.list);
const infoOf = (person: { token: string }) => server.as(person)(accounts.info);
const again = async (person: Person, visitor = { address: "198.51.100.7", userAgent: "Phone" }): Promise<Person> => {
  const { db, clock } = server.world;
  return {
    ...person,
    ...(await signIn(db, clock.date(), visitor, { userId: person.userId, accountId: person.accountId })),
  };
};
/** The code that the person's live socket is closed with. */
const socketOf = async (person: Person): Promise<{ closed: Promise<number> }> => {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${livePath(person.userId, person.accountId)}?token=${person.token}`,
  );
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return { closed };
};

describe("where one is signed in", () => {
  test("is listed with the latest used first, from where and with what, and which one asks", async () => {
    const owner = await anOwner(server.world);
    server.world.clock.pass(60_000);
    const phone = await again(owner);
    expect(await listOf(phone)).toMatchObject([
      {
        roleName: "Owner",
        alias: `Plant of ${owner.email}`,
        address: "198.51.100.7",
        userAgent: "Phone",
        isCurrent: true,
      },
      { address: "192.0.2.1", userAgent: "test", isCurrent: false },
    ]);
    expect((await listOf(owner)).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  });

  test("shows no support view, nothing of others, and nothing that has expired", async () => {
    const owner = await anOwner(server.world);
    const expired = await again(owner);
    server.world.clock.pass(12 * 3_600_000);
    const current = await again(owner);
    await aSupportView(server.world, owner);
    await aViewer(server.world, owner);
    const [only, ...more] = await listOf(current);
    expect(only).toMatchObject({ isCurrent: true });
    expect(more).toEqual([]);
    await expect(infoOf(expired)).rejects.toEqual(refusal(401));
  });

  test("holds no token, nor its hash", async () => {
    const owner = await anOwner(server.world);
    const answer = await server.app.inject({ method: "GET", url: `${signIns.list.path}?token=${owner.token}` });
    expect(Object.keys(answer.json().result[0]).sort()).toEqual(
      [
        "address",
        "alias",
        "createdTime",
        "isBySso",
        "isCurrent",
        "roleName",
        "signInId",
        "usedTime",
        "userAgent",
      ].sort(),
    );
  });
});

describe("signing out elsewhere", () => {
  test("ends that one at once, its live socket too, and no other", async () => {
    const owner = await anOwner(server.world);
    const [phone, tablet] = [await again(owner), await again(owner, { address: "198.51.100.8", userAgent: "Tablet" })];
    const { closed } = await socketOf(phone);
    const row = (await listOf(owner)).find(({ userAgent }) => userAgent === "Phone");
    await server.as(owner)(signIns.end, { signInId: row?.signInId ?? 0 });
    expect(await closed).toBe(closedBySignOut);
    await expect(infoOf(phone)).rejects.toEqual(refusal(401));
    await expect(infoOf(tablet)).resolves.toBeDefined();
    await expect(infoOf(owner)).resolves.toBeDefined();
  });

  test("everywhere leaves the one that asks", async () => {
    const owner = await anOwner(server.world);
    const [phone, tablet, support] = [await again(owner), await again(owner), await aSupportView(server.world, owner)];
    const sockets = await Promise.all([phone, tablet, support].map(socketOf));
    await server.as(owner)(signIns.endOthers);
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(sockets.map(() => closedBySignOut));
    expect(await listOf(owner)).toMatchObject([{ isCurrent: true }]);
    await expect(infoOf(support)).rejects.toEqual(refusal(401));
  });

  test("is not possible for others, nor by their numbers", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const [theirs] = await listOf(other);
    await expect(server.as(owner)(signIns.end, { signInId: theirs?.signInId ?? 0 })).rejects.toEqual(refusal(404));
    await server.as(owner)(signIns.endOthers);
    await expect(infoOf(other)).resolves.toBeDefined();
  });

  test("is not possible for a support view", async () => {
    const owner = await anOwner(server.world);
    const support = await aSupportView(server.world, owner);
    const [row] = await listOf(support);
    expect(row).toMatchObject({ isCurrent: false });
    await expect(server.as(support)(signIns.end, { signInId: row?.signInId ?? 0 })).rejects.toEqual(refusal(403));
    await expect(server.as(support)(signIns.endOthers)).rejects.toEqual(refusal(403));
    await expect(infoOf(owner)).resolves.toBeDefined();
  });

  test("closes the sockets of the other sessions with a new password, and keeps one's own", async () => {
    const owner = await withPassword(server.world, await anOwner(server.world));
    const phone = await again(owner);
    const [here, there] = [await socketOf(owner), await socketOf(phone)];
    await server.as(owner)(profile.update, { originalPwd: password, newPwd: "another horse" });
    expect(await there.closed).toBe(closedBySignOut);
    const isOpen = await Promise.race([here.closed, new Promise((resolve) => setTimeout(resolve, 100, "open"))]);
    expect(isOpen).toBe("open");
  });
});

describe("when support has looked", () => {
  const linkTo = (person: Person, madeBy = "sue") => createSupportLink(server.world, { ...person, madeBy });
  const open = (supportToken: string) => server.as()(accounts.openSupportView, { supportToken });
  const viewsOf = (person: Person, query = {}) => server.as(person)(signIns.supportViews, query);
  const hour = 3_600_000;

  test("is shown with operator, address, as whom and until when, the latest first, to owner and admin", async () => {
    const owner = await anOwner(server.world);
    const viewer = await aViewer(server.world, owner);
    await linkTo(owner, "nobody opens this one");
    await open(await linkTo(owner));
    const first = server.world.clock.date();
    server.world.clock.pass(60_000);
    await open(await linkTo(viewer, "bob"));
    const second = server.world.clock.date();
    const expected = [
      { openedBy: "bob", email: viewer.email, openedTime: second, endsTime: new Date(second.getTime() + hour) },
      { openedBy: "sue", email: owner.email, openedTime: first, endsTime: new Date(first.getTime() + hour) },
    ];
    const shown = await viewsOf(owner);
    expect(shown).toMatchObject({ data: expected, total: 2, total_pages: 1 });
    expect(shown.data.map(({ address }) => address)).toEqual(["127.0.0.1", "127.0.0.1"]);
    expect(await viewsOf(await anAdmin(server.world, owner))).toEqual(shown);
    expect(await viewsOf(owner, { page: 2, size: 1 })).toMatchObject({ data: [expected[1]], page: 2, total_pages: 2 });
    await expect(viewsOf(await aDeviceManager(server.world, owner))).rejects.toEqual(refusal(403));
    expect(await viewsOf(await anOwner(server.world))).toMatchObject({ data: [], total: 0 });
  });

  test("ends with support's signing out, or when the user ends it", async () => {
    const owner = await anOwner(server.world);
    for (const end of [
      (view: { token: string }) => server.as(view)(accounts.signOut),
      () => server.as(owner)(signIns.endOthers),
    ]) {
      const view = await open(await linkTo(owner));
      server.world.clock.pass(120_000);
      await end(view);
      const ended = server.world.clock.date();
      server.world.clock.pass(60_000);
      const { data } = await viewsOf(owner);
      expect(data[0]?.endsTime).toEqual(ended);
      await expect(infoOf(view)).rejects.toEqual(refusal(401));
    }
  });

  test("ends with the removal of the user as whom support looks", async () => {
    const owner = await anOwner(server.world);
    const viewer = await aViewer(server.world, owner);
    const view = await open(await linkTo(viewer));
    server.world.clock.pass(120_000);
    await server.as(owner)(users.remove, { accountId: viewer.accountId });
    const ended = server.world.clock.date();
    expect((await viewsOf(owner)).data).toMatchObject([{ email: viewer.email, endsTime: ended }]);
    expect((await server.as(owner)(audit.list, {})).data).toContainEqual(
      expect.objectContaining({ action: "support.end", email: viewer.email }),
    );
    await expect(infoOf(view)).rejects.toEqual(refusal(401));
  });

  test("is seen by each plant that support goes on to", async () => {
    const { world } = server;
    const [owner, other] = [await anOwner(world), await anOwner(world)];
    const member = { userId: owner.userId, plantId: other.plantId, roleType: 2 as const };
    const accountId = await createAccount(world.db, member, world.clock.date());
    const view = await open(await linkTo(owner));
    const opened = world.clock.date();
    world.clock.pass(60_000);
    const changed = await server.as(view)(accounts.change, { accountId });
    const moved = world.clock.date();
    world.clock.pass(60_000);
    const limit = new Date(opened.getTime() + hour);
    expect((await viewsOf(owner)).data).toMatchObject([{ openedTime: opened, endsTime: moved }]);
    const there = { openedBy: "sue", email: owner.email, openedTime: moved, endsTime: limit };
    expect((await viewsOf(other)).data).toMatchObject([there]);
    await server.as(changed)(accounts.change, { accountId: owner.accountId });
    expect((await viewsOf(owner)).data).toMatchObject([{ endsTime: limit, openedBy: "sue" }, { endsTime: moved }]);
    expect((await viewsOf(other)).data).toMatchObject([{ ...there, endsTime: world.clock.date() }]);
  });
});
