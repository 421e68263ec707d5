import { Message } from "@telltale/contract/call/codes";
import { Analog } from "@telltale/contract/domains/channels";
import { DashboardStatus, dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { TileKind } from "@telltale/contract/domains/dashboard/tiles";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createVisibility } from "../../live/plant/visibility.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { aDeviceManager, anInstaller, anOwner, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let station: TestDevice;
let motor: TestDevice;
let ai: number[];
let currents: number[];

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  station = await aDevice(server.world, owner, { name: "Station", model: Model.mixed });
  const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
  motor = await aDevice(server.world, owner, { name: "Motor", model: Model.motorController, ...sub });
  ai = ["AI1", "AI2", "AI3"].map((code) => Number(station.channels[code]));
  currents = ["I A", "I B", "I C"].map((code) => Number(motor.channels[code]));
});
afterAll(() => server.close());

const asOwner = () => server.as(owner);
const refusal = (code: number, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });
const add = async (name: string, more: object = {}): Promise<number> =>
  (await asOwner()(dashboards.edit, { name, deviceChannelIds: [ai[0] as number], ...more })).dashboardId;
const listed = async (filter = {}) => (await asOwner()(dashboards.list, filter)).data;
const defaults = async () => (await listed()).filter((row) => row.status === 1).map((row) => row.dashboardId);
const infoOf = (dashboardId: number) => asOwner()(dashboards.info, { dashboardId });
const aGroup = async (more: object = {}): Promise<number> =>
  (
    await asOwner()(dashboards.editGroup, {
      groupName: "Currents",
      icon: Analog.speed,
      deviceId: motor.deviceId,
      deviceChannelIds: currents,
      ...more,
    })
  ).dashboardGroupId;
const posted = async (path: string, payload: object) =>
  (await server.app.inject({ method: "POST", url: `${path}?token=${owner.token}`, payload })).json();

describe("a dashboard that is made", () => {
  test("shows what was chosen, in that order, and says who made it", async () => {
    const group = await aGroup();
    const more = { deviceChannelIds: [ai[1], ai[0]], dashboardGroupIds: [group], deviceIds: [motor.deviceId] };
    const dashboardId = await add("Boilers", { notes: "North hall", ...more });
    expect(await infoOf(dashboardId)).toMatchObject({
      name: "Boilers",
      notes: "North hall",
      createdBy: "Olga Tester",
      ...more,
      dashboardChannelList: [
        { kind: TileKind.channel, deviceChannelId: ai[1], deviceName: "Station" },
        { kind: TileKind.channel, deviceChannelId: ai[0] },
        { kind: TileKind.group, name: "Currents", icon: Analog.speed, deviceName: "Motor" },
        { kind: TileKind.modbus, name: "Motor", deviceId: motor.deviceId },
      ],
    });
    expect(await asOwner()(dashboards.tiles, { dashboardId })).toHaveLength(4);
  });

  test("is found by name and by when it was made", async () => {
    const first = await add("North_1");
    server.world.clock.pass(3_600_000);
    const second = await add("South");
    const ids = async (filter: object) => (await listed(filter)).map((row) => row.dashboardId);
    expect(await ids({})).toEqual([first, second]);
    expect(await ids({ name: "h_" })).toEqual([first]);
    expect(await ids({ createdStartTime: server.world.clock.date() })).toEqual([second]);
    expect(await ids({ createdEndTime: new Date(server.world.clock.now() - 1) })).toEqual([first]);
    expect(await ids({ page: 2, size: 1 })).toEqual([second]);
  });

  test.each([
    [{ name: " " }, "Dashboard name cannot be blank"],
    [{ name: "", deviceChannelIds: "" }, "Dashboard name cannot be blank"],
    [{ deviceChannelIds: "", dashboardGroupIds: "" }, "Channel List cannot be blank"],
    [{ deviceChannelIds: undefined }, "Channel List cannot be blank"],
    [{ status: 2 }, "Choose whether it is the default"],
  ])("with %j is refused with '%s'", async (wrong, msg) => {
    const answer = await posted(dashboards.edit.path, { name: "A", deviceChannelIds: String(ai[0]), ...wrong });
    expect(answer).toMatchObject({ code: 422, msg });
  });

  test("shows nothing of another plant's", async () => {
    const stranger = server.as(await anOwner(server.world));
    const group = await aGroup();
    for (const foreign of [{ deviceChannelIds: ai }, { dashboardGroupIds: [group] }, { deviceIds: [motor.deviceId] }])
      await expect(stranger(dashboards.edit, { name: "Theirs", ...foreign })).rejects.toEqual(refusal(404));
    expect((await stranger(dashboards.list)).data).toEqual([]);
  });
});

describe("the default dashboard", () => {
  test("is the first, then whichever was made it last, and always exactly one", async () => {
    const first = await add("First", { status: 0 });
    expect(await defaults()).toEqual([first]);
    const second = await add("Second", { status: 1 });
    expect(await defaults()).toEqual([second]);
    await asOwner()(dashboards.setStatus, { dashboardId: first, status: 1 });
    expect(await defaults()).toEqual([first]);
    await Promise.all(
      [second, await add("Third")].map((id) => asOwner()(dashboards.setStatus, { dashboardId: id, status: 1 })),
    );
    expect(await defaults()).toHaveLength(1);
  });

  test("cannot be switched off, and is deleted last", async () => {
    const first = await add("First");
    const second = await add("Second");
    const off = { dashboardId: first, status: DashboardStatus.other };
    await expect(asOwner()(dashboards.setStatus, off)).rejects.toEqual(refusal(422));
    await expect(add("First", off)).rejects.toEqual(refusal(422));
    await expect(asOwner()(dashboards.remove, { dashboardId: first })).rejects.toEqual(refusal(422));
    expect(await defaults()).toEqual([first]);
    await asOwner()(dashboards.remove, { dashboardId: second });
    await asOwner()(dashboards.remove, { dashboardId: first });
    expect(await listed()).toEqual([]);
  });
});

describe("a change", () => {
  test("leaves the tiles that stay in their places, and puts new ones last", async () => {
    const dashboardId = await add("Boilers", { deviceChannelIds: ai, deviceIds: [motor.deviceId], status: 1 });
    const { dashboardChannelList: before } = await infoOf(dashboardId);
    const tileIds = before.map((tile) => tile.tileId).toReversed();
    await asOwner()(dashboards.order, { dashboardId, tileIds });
    const di = Number(station.channels.DI1);
    await add("Boilers 2", { dashboardId, deviceChannelIds: [di, ai[0], ai[2]], status: 1 });
    const { name, dashboardChannelList: after } = await infoOf(dashboardId);
    expect(name).toBe("Boilers 2");
    expect(after.map((tile) => tile.deviceChannelId)).toEqual([null, ai[2], ai[0], di]);
    expect(after.slice(0, 3).map((tile) => tile.tileId)).toEqual([tileIds[0], tileIds[1], tileIds[3]]);
  });

  test("by the second of two people is refused, and nothing of it is saved", async () => {
    const dashboardId = await add("Boilers");
    const { version, dashboardChannelList: tiles } = await infoOf(dashboardId);
    const manager = server.as(await aDeviceManager(server.world, owner));
    const change = { dashboardId, deviceChannelIds: ai.slice(1, 2), status: 1 as const, version };
    await manager(dashboards.edit, { ...change, name: "Theirs" });
    const late = refusal(409, Message.changedMeanwhile);
    await expect(asOwner()(dashboards.edit, { ...change, name: "Mine" })).rejects.toEqual(late);
    const tileIds = tiles.map((tile) => tile.tileId);
    await expect(asOwner()(dashboards.order, { dashboardId, tileIds, version })).rejects.toEqual(late);
    expect(await infoOf(dashboardId)).toMatchObject({ name: "Theirs", deviceChannelIds: [ai[1]] });
  });

  test("of the order names every tile of this dashboard and no other", async () => {
    const [one, other] = [await add("One", { deviceChannelIds: ai }), await add("Other", { deviceChannelIds: ai })];
    const tilesOf = async (id: number) => (await infoOf(id)).dashboardChannelList.map((tile) => tile.tileId);
    const [own, foreign] = [await tilesOf(one), await tilesOf(other)];
    const order = (tileIds: number[]) => asOwner()(dashboards.order, { dashboardId: one, tileIds });
    await expect(order([...own.slice(1), Number(foreign[0])])).rejects.toEqual(refusal(404));
    await expect(order(own.slice(1))).rejects.toEqual(refusal(409));
    expect(await tilesOf(one)).toEqual(own);
  });

  test("is sent to every open dashboard of the plant, and recorded in the audit log", async () => {
    const heard: LiveMessage[] = [];
    server.world.bus.on("live", ({ plantId, message }) => plantId === owner.plantId && heard.push(message));
    const dashboardId = await add("Boilers");
    await vi.waitFor(() => expect(heard).toEqual([{ cmd: LiveCommand.dashboardChange }]));
    await add("Boilers", { dashboardId, notes: "changed", status: 1 });
    await asOwner()(dashboards.removeGroup, { dashboardGroupId: await aGroup() });
    await asOwner()(dashboards.remove, { dashboardId });
    await vi.waitFor(() => expect(heard).toHaveLength(5));
    const log = await server.world.db
      .selectFrom("audit_log")
      .select(["action", "user_id", "detail"])
      .where("plant_id", "=", owner.plantId)
      .where("action", "like", "dashboard%")
      .orderBy("audit_id")
      .execute();
    expect(log.map((row) => row.action)).toEqual([
      "dashboard.add",
      "dashboard.edit",
      "dashboardGroup.add",
      "dashboardGroup.delete",
      "dashboard.delete",
    ]);
    expect(log[1]).toMatchObject({
      user_id: owner.userId,
      detail: { before: { notes: "" }, after: { notes: "changed" } },
    });
  });

  test("changes what a viewer sees from that moment on", async () => {
    const dashboardId = await add("Gate", { status: 0 });
    const assigned = await add("Pumps", { deviceChannelIds: [], deviceIds: [motor.deviceId] });
    const person = await aViewer(server.world, owner, assigned);
    const visibility = await createVisibility(server.world.db, {
      plantId: owner.plantId,
      roleType: 5,
      dashboardId: assigned,
    });
    const value = {
      cmd: LiveCommand.value,
      deviceChannelId: Number(ai[0]),
      value: 1,
      status: 1,
      updateTime: 0,
    } as const;
    expect(visibility.sees(value)).toBe(false);
    await asOwner()(dashboards.remove, { dashboardId: assigned });
    await visibility.reload?.();
    expect(visibility.sees(value)).toBe(true);
    expect(await server.as(person)(dashboards.tiles)).toMatchObject([{ deviceChannelId: ai[0] }]);
    expect(await server.as(person)(dashboards.names)).toMatchObject([{ dashboardId }]);
  });
});

describe("a group", () => {
  test("is of one motor controller's channels, in their order, and says so", async () => {
    const dashboardGroupId = await aGroup({ deviceChannelIds: currents.toReversed() });
    const group = { groupName: "Currents", icon: Analog.speed, deviceId: motor.deviceId, deviceName: "Motor" };
    expect(await asOwner()(dashboards.groups, { deviceId: motor.deviceId })).toMatchObject([group]);
    expect(await asOwner()(dashboards.groups, { deviceId: station.deviceId })).toEqual([]);
    const found = await asOwner()(dashboards.group, { dashboardGroupId });
    expect(found).toMatchObject({ ...group, deviceChannelIds: currents.toReversed(), createdBy: "Olga Tester" });
    const edited = { ...found, groupName: "Phase A", deviceChannelIds: [Number(currents[0])] };
    await asOwner()(dashboards.editGroup, edited);
    await expect(asOwner()(dashboards.editGroup, edited)).rejects.toEqual(refusal(409, Message.changedMeanwhile));
    expect(await asOwner()(dashboards.group, { dashboardGroupId })).toMatchObject({ groupName: "Phase A" });
  });

  test.each([
    [{ groupName: "" }, "Dashboard group name cannot be blank"],
    [{ deviceChannelIds: "" }, "Please select a channel"],
    [{ deviceChannelIds: undefined }, "Please select a channel"],
    [{ icon: 55 }, "Choose an icon"],
  ])("with %j is refused with '%s'", async (wrong, msg) => {
    const group = { groupName: "A", icon: 1, deviceId: motor.deviceId, deviceChannelIds: String(currents[0]) };
    expect(await posted(dashboards.editGroup.path, { ...group, ...wrong })).toMatchObject({ code: 422, msg });
  });

  test("is not of two devices, not of another model, and not of another plant", async () => {
    const another = await aDevice(server.world, owner, { model: Model.motorController, deviceType: DeviceType.sub });
    const stranger = await anOwner(server.world);
    const foreign = await aDevice(server.world, stranger, { model: Model.motorController, deviceType: DeviceType.sub });
    const [theirs, others] = [Number(foreign.channels["I A"]), Number(another.channels["I A"])];
    await expect(aGroup({ deviceChannelIds: [...currents, others] })).rejects.toEqual(refusal(422));
    await expect(aGroup({ deviceId: station.deviceId, deviceChannelIds: ai })).rejects.toEqual(refusal(422));
    await expect(aGroup({ deviceChannelIds: [...currents, theirs] })).rejects.toEqual(refusal(404));
    await expect(aGroup({ deviceId: foreign.deviceId, deviceChannelIds: [theirs] })).rejects.toEqual(refusal(404));
  });

  test("that is deleted is removed from its dashboards, and concurrent edits of them conflict", async () => {
    const dashboardGroupId = await aGroup();
    const dashboardId = await add("Drives", { dashboardGroupIds: [dashboardGroupId] });
    const { version } = await infoOf(dashboardId);
    await asOwner()(dashboards.removeGroup, { dashboardGroupId });
    const after = await infoOf(dashboardId);
    expect(after.dashboardGroupIds).toEqual([]);
    expect(after.version).toBeGreaterThan(version);
    await expect(asOwner()(dashboards.group, { dashboardGroupId })).rejects.toEqual(refusal(404));
  });
});

test("what can be chosen is every channel of the plant, and a motor controller as a whole", async () => {
  const choices = async (name: string) => (await asOwner()(dashboards.choices, { name, size: 200 })).data;
  const all = await choices("");
  expect(all.map((row) => row.deviceChannelId)).toEqual(expect.arrayContaining([null, ...ai]));
  expect(all.some((row) => row.deviceChannelId === currents[0])).toBe(false);
  expect(await choices("moto")).toMatchObject([{ deviceId: motor.deviceId, deviceChannelId: null }]);
  expect(await choices(station.deviceSnId)).toHaveLength(Object.keys(station.channels).length);
  expect(await choices("%")).toEqual([]);
});

test("users without the permission to configure dashboards are refused", async () => {
  const dashboardId = await aDashboard(server.world, owner, { isDefault: true });
  for (const person of [await anInstaller(server.world, owner), await aViewer(server.world, owner)])
    for (const call of [dashboards.list, dashboards.info, dashboards.edit, dashboards.order, dashboards.remove])
      await expect(server.as(person)(call, { dashboardId } as never)).rejects.toEqual(refusal(403));
});
