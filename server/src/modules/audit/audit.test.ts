import { audit } from "@telltale/contract/domains/audit";
import { profile } from "@telltale/contract/domains/people/profile";
import { users } from "@telltale/contract/domains/people/users";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { anAdmin, anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { auditOpened } from "../accounts/sign-in/support-view-queries.ts";

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
});
afterAll(() => server.close());

const listed = async (filter = {}) => (await server.as(owner)(audit.list, filter)).data;
const actions = async (filter = {}) => (await listed(filter)).map(({ action }) => action);

test("an entry has user, target and each changed field as text", async () => {
  const [admin, viewer] = [await anAdmin(server.world, owner), await aViewer(server.world, owner)];
  const dashboardId = await aDashboard(server.world, owner, { name: "Boilers" });
  const asAdmin = server.as(admin);
  await asAdmin(users.edit, { accountId: viewer.accountId, dashboardId });
  await asAdmin(users.edit, { accountId: viewer.accountId, type: Role.installer });
  const [second, first] = await listed();
  const received = {
    name: "Ada Tester",
    email: admin.email,
    isSupport: false,
    action: "user.edit",
    target: viewer.email,
  };
  expect(first).toMatchObject({ ...received, changes: [{ field: "dashboardId", before: null, after: "Boilers" }] });
  expect(second).toMatchObject({
    ...received,
    createdTime: server.world.clock.date(),
    changes: [
      { field: "roleType", before: "Viewer", after: "Installer" },
      { field: "dashboardId", before: "Boilers", after: null },
    ],
  });
});

test("a support view is distinguished from the user it shows", async () => {
  const view = { ...owner, endsTime: new Date(server.world.clock.now() + 1000), address: "192.0.2.7", madeBy: "Jo" };
  await auditOpened(server.world.db, view, server.world.clock.date());
  const [row] = await listed();
  expect(row).toMatchObject({ isSupport: true, madeBy: "Jo", email: owner.email, action: "support.open" });
  expect(row?.changes).toContainEqual({ field: "address", before: null, after: "192.0.2.7" });
});

test("the log is the plant's, the latest first, and filtered by action, e-mail and time", async () => {
  const [admin, viewer] = [await anAdmin(server.world, owner), await aViewer(server.world, owner)];
  const stranger = await anOwner(server.world);
  await server.as(stranger)(profile.update, { company: "Elsewhere" });
  await server.as(owner)(profile.update, { company: "Here" });
  server.world.clock.pass(2 * 3_600_000);
  await server.as(admin)(users.remove, { accountId: viewer.accountId });
  expect(await actions()).toEqual(["user.delete", "profile.update"]);
  expect(await actions({ action: "USER DEL" })).toEqual(["user.delete"]);
  expect(await actions({ action: "user.delete" })).toEqual(["user.delete"]);
  expect(await actions({ action: "no such thing" })).toEqual([]);
  expect(await actions({ email: owner.email.toUpperCase() })).toEqual(["profile.update"]);
  const anHourAgo = new Date(server.world.clock.now() - 3_600_000);
  expect(await actions({ createdStartTime: anHourAgo })).toEqual(["user.delete"]);
  expect(await actions({ createdEndTime: anHourAgo })).toEqual(["profile.update"]);
  expect(await actions({ page: 2, size: 1 })).toEqual(["profile.update"]);
});
