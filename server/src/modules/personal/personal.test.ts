import { Message } from "@telltale/contract/call/codes";
import { audit } from "@telltale/contract/domains/audit";
import { Model } from "@telltale/contract/domains/devices";
import { personal } from "@telltale/contract/domains/people/personal";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice, aReading, type TestDevice } from "../../test/test-devices.ts";
import { aDeviceManager, anOwner, aSupportView, aViewer, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let pump: TestDevice;
let tank: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  pump = await aDevice(server.world, owner, { name: "Pump", model: Model.mixed });
  tank = await aDevice(server.world, owner, { name: "Tank" });
});
afterAll(() => server.close());

const id = (code: string, device = pump): number => Number(device.channels[code]);
const listed = async (person = owner) =>
  (await server.as(person)(personal.list)).map(({ deviceName, channelCn }) => `${deviceName} ${channelCn}`);
const add = (ids: number[], person = owner) => server.as(person)(personal.add, { deviceChannelIds: ids });

describe("a watchlist", () => {
  test("shows channels with their newest readings, in the order of the one who made it, and nobody else's", async () => {
    await server.world.db
      .updateTable("devices")
      .set({ is_online: true, first_seen_time: server.world.clock.date(), last_seen_time: server.world.clock.date() })
      .where("device_id", "=", tank.deviceId)
      .execute();
    await aReading(server.world, id("AI1", tank), { value: 4.2 });
    await add([id("AI1", tank), id("DI2")]);
    await add([id("DI2"), id("AI3")]);
    expect(await listed()).toEqual(["Tank AI1", "Pump DI2", "Pump AI3"]);
    const [first] = await server.as(owner)(personal.list);
    expect(first).toMatchObject({ value: 4.2, deviceId: tank.deviceId, unit: "bar" });
    expect(await listed(await aDeviceManager(server.world, owner))).toEqual([]);
  });

  test("is put in another order, which has to name all", async () => {
    const [a, b, c] = [id("AI1"), id("AI2"), id("AI3")];
    await add([a, b, c]);
    const order = (ids: number[]) => server.as(owner)(personal.order, { deviceChannelIds: ids });
    await order([c, a, b]);
    expect(await listed()).toEqual(["Pump AI3", "Pump AI1", "Pump AI2"]);
    await expect(order([c, a])).rejects.toMatchObject({ code: 409, message: Message.changedMeanwhile });
    await server.as(owner)(personal.remove, { deviceChannelId: a });
    await expect(server.as(owner)(personal.remove, { deviceChannelId: a })).rejects.toMatchObject({ code: 404 });
    expect(await listed()).toEqual(["Pump AI3", "Pump AI2"]);
  });

  test("offers what is not on it, found by channel, device name or device ID", async () => {
    const found = async (name: string) => (await server.as(owner)(personal.choices, { name })).data;
    expect((await found("ai1")).map(({ deviceName }) => deviceName)).toEqual(["Pump", "Tank"]);
    await add([id("AI1")]);
    expect((await found("ai1")).map(({ deviceName }) => deviceName)).toEqual(["Tank"]);
    expect(await found(tank.deviceSnId)).toHaveLength(4);
  });

  test("of a viewer holds what the dashboard shows, and keeps the rest for when it shows it again", async () => {
    const both = await aDashboard(server.world, owner, { channels: [id("AI1"), id("AI1", tank)] });
    const one = await aDashboard(server.world, owner, { channels: [id("AI1")] });
    const viewer = await aViewer(server.world, owner, both);
    await add([id("AI2"), id("AI1", tank)], viewer);
    const see = (dashboard_id: number) =>
      server.world.db
        .updateTable("accounts")
        .set({ dashboard_id })
        .where("account_id", "=", viewer.accountId)
        .execute();
    await see(one);
    expect(await listed(viewer)).toEqual(["Pump AI2"]);
    await expect(add([id("AI2", tank)], viewer)).rejects.toMatchObject({ code: 404 });
    const { data } = await server.as(viewer)(personal.choices, { size: 200 });
    expect(new Set(data.map(({ deviceName }) => deviceName))).toEqual(new Set(["Pump"]));
    await see(both);
    expect(await listed(viewer)).toEqual(["Pump AI2", "Tank AI1"]);
  });

  test("is read by support and changed by it never; another plant's channels do not exist", async () => {
    await add([id("AI1")]);
    const support = await aSupportView(server.world, owner);
    expect(await listed(support)).toEqual(["Pump AI1"]);
    await expect(add([id("AI2")], support)).rejects.toMatchObject({ code: 403, message: Message.readOnly });
    await expect(add([id("AI1")], await anOwner(server.world))).rejects.toMatchObject({ code: 404 });
  });

  test("is audited by name", async () => {
    await add([id("AI1", tank)]);
    const [entry] = (await server.as(owner)(audit.list, { action: "watchlist" })).data;
    expect(entry?.changes).toEqual([{ field: "channels", before: null, after: expect.stringMatching(/^Tank, /) }]);
  });
});
