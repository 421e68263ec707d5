import { Analog } from "@telltale/contract/domains/channels";
import { dashboards, maxTiles } from "@telltale/contract/domains/dashboard/dashboards";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let owner: Person;
let motor: TestDevice;
let channelIds: number[];
let currents: number[];

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  const station = await aDevice(server.world, owner, { model: Model.mixed });
  const sub = { deviceType: DeviceType.sub, parentDeviceId: station.deviceId };
  motor = await aDevice(server.world, owner, { model: Model.motorController, ...sub });
  channelIds = ["AI1", "AI2"].map((code) => Number(station.channels[code]));
  currents = ["I A", "I B"].map((code) => Number(motor.channels[code]));
});
afterAll(() => server.close());

const client = () => server.as(owner);
const infoOf = (dashboardId: number) => client()(dashboards.info, { dashboardId });
const refusal = (code: number, message: string) => expect.objectContaining({ code, message });

/** The answer to a body, as a form or as JSON. */
const posted = async (path: string, body: Record<string, unknown>, type: "form" | "json") => {
  const fields = new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)]));
  const answer = await server.app.inject({
    method: "POST",
    url: `${path}?token=${owner.token}`,
    headers: { "content-type": type === "json" ? "application/json" : "application/x-www-form-urlencoded" },
    payload: type === "json" ? JSON.stringify(body) : fields.toString(),
  });
  return answer.json();
};

describe("a change of a dashboard", () => {
  /** A default dashboard with every kind of tile. */
  const aFullOne = async () => {
    const group = { groupName: "Currents", icon: Analog.speed, deviceId: motor.deviceId, deviceChannelIds: currents };
    const { dashboardGroupId } = await client()(dashboards.editGroup, group);
    const shown = { deviceChannelIds: channelIds, dashboardGroupIds: [dashboardGroupId], deviceIds: [motor.deviceId] };
    const { dashboardId } = await client()(dashboards.edit, { name: "Boilers", notes: "North", status: 1, ...shown });
    return { dashboardId, shown };
  };

  test("keeps every field that it leaves out", async () => {
    const { dashboardId, shown } = await aFullOne();
    const { dashboardChannelList: tiles } = await infoOf(dashboardId);
    await client()(dashboards.edit, { dashboardId, name: "Boilers 2" });
    const renamed = { name: "Boilers 2", notes: "North", status: 1, ...shown };
    expect(await infoOf(dashboardId)).toMatchObject({ ...renamed, dashboardChannelList: tiles });
    await client()(dashboards.edit, { dashboardId, name: "Boilers 2", deviceIds: [], notes: "" });
    expect(await infoOf(dashboardId)).toMatchObject({ ...renamed, notes: "", deviceIds: [] });
  });

  test("counts the tiles of the lists that it leaves out", async () => {
    const { dashboardId, shown } = await aFullOne();
    const { dashboardId: single } = await client()(dashboards.edit, { name: "One", deviceChannelIds: channelIds });
    const edit = (fields: object) => client()(dashboards.edit, { name: "Changed", ...fields });
    const none = refusal(422, "Channel List cannot be blank");
    await expect(edit({ dashboardId: single, deviceChannelIds: [] })).rejects.toEqual(none);
    await edit({ dashboardId, deviceChannelIds: [] });
    expect(await infoOf(dashboardId)).toMatchObject({ ...shown, deviceChannelIds: [] });
    const more = Array.from({ length: maxTiles - 1 }, (_, at) => at + 1);
    const tooMany = refusal(422, `A dashboard shows at most ${maxTiles} tiles`);
    await expect(edit({ dashboardId, deviceChannelIds: more })).rejects.toEqual(tooMany);
  });
});

describe.each(["form", "json"] as const)("a group of channels sent as %s", (type) => {
  test("is saved, and a field that is missing is named", async () => {
    const { path } = dashboards.editGroup;
    const group = { groupName: "Currents", icon: Analog.speed, deviceId: motor.deviceId };
    const deviceChannelIds = currents.join(",");
    const added = await posted(path, { ...group, deviceChannelIds }, type);
    expect(added).toMatchObject({ code: 0 });
    const { dashboardGroupId } = added.result;
    const changed = { dashboardGroupId, ...group, groupName: "Phases", deviceChannelIds, version: 1 };
    expect(await posted(path, changed, type)).toMatchObject({ code: 0, result: { dashboardGroupId } });
    const found = await client()(dashboards.group, { dashboardGroupId });
    expect(found).toMatchObject({ ...group, groupName: "Phases", deviceChannelIds: currents });
    expect(await posted(path, group, type)).toMatchObject({ code: 422, msg: "Please select a channel" });
    expect(await posted(path, { ...changed, icon: 999 }, type)).toMatchObject({ code: 422, msg: "Choose an icon" });
  });
});
