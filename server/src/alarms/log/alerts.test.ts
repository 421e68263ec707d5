import type { Input } from "@telltale/contract/call/call";
import { AlertClass, AlertStatus, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDashboard } from "../../test/test-dashboards.ts";
import { aDevice } from "../../test/test-devices.ts";
import { anOwner, aViewer } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const refusal = (code: number) => expect.objectContaining({ code });
const ids = (rows: { alarmLogId: number }[]) => rows.map((row) => row.alarmLogId);

/** Creates an owner with a device, and a shortcut to write its alerts. */
const aPlant = async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner, { name: "Pump 100%" });
  const channelId = Number(device.channels.AI1);
  const alert = (wanted: Partial<Parameters<typeof anAlert>[2]> = {}) =>
    anAlert(server.world, owner, { deviceId: device.deviceId, channelId, ...wanted });
  return { owner, device, channelId, alert };
};

describe("the alert log", () => {
  test("is newest first, in pages, with names, units and who confirmed", async () => {
    const { owner, device, channelId, alert } = await aPlant();
    const old = await alert({
      ago: 3,
      value: 9.25,
      threshold: 8,
      interval: 60,
      acceptedBy: owner.accountId,
      status: 2,
    });
    const middle = await alert({ ago: 2 });
    const newest = await alert({ ago: 1 });
    const first = await server.as(owner)(alerts.log, { page: 1, size: 2 });
    expect(ids(first.data)).toEqual([newest, middle]);
    expect(first).toMatchObject({ page: 1, total: 3, total_pages: 2 });
    const second = await server.as(owner)(alerts.log, { page: 2, size: 2 });
    expect(ids(second.data)).toEqual([old]);
    expect(second.data[0]).toMatchObject({
      deviceName: "Pump 100%",
      deviceSnId: device.deviceSnId,
      deviceChannelId: channelId,
      channelName: "AI1",
      value: 9.25,
      threshold: 8,
      valueUnit: "bar",
      interval: 60,
      acceptName: "Olga Tester",
      modifiedTime: null,
    });
  });

  test("is the plant's own", async () => {
    const [one, other] = [await aPlant(), await aPlant()];
    await other.alert();
    expect(await server.as(one.owner)(alerts.log)).toMatchObject({ data: [], total: 0, total_pages: 0 });
  });

  test("finds by every filter, and by all of them together", async () => {
    const { owner, device, alert } = await aPlant();
    const other = await aDevice(server.world, owner, { name: "Fan" });
    const wanted = await alert({
      ago: 10,
      status: 3,
      alarmClass: 1,
      alarmType: 2,
      interval: 30,
      acceptedBy: owner.accountId,
    });
    await alert({ deviceId: other.deviceId, channelId: Number(other.channels.AI2), interval: 60 });
    const at = (minutesAgo: number) => new Date(server.world.clock.now() - minutesAgo * 60_000);
    const filters: Partial<Input<typeof alerts.log>>[] = [
      { status: [AlertStatus.cleared] },
      { alarmClass: [AlertClass.custom] },
      { alarmType: [AlertType.low] },
      { channelName: "ai1" },
      { deviceName: "pump" },
      { deviceSnId: device.deviceSnId.toLowerCase() },
      { interval: 30 },
      { createdStartTime: at(11), createdEndTime: at(9) },
      { confirmStartTime: at(10), confirmEndTime: at(10) },
      { modifyStartTime: at(11), modifyEndTime: at(9) },
      { email: "olga test" },
      { email: owner.email },
    ];
    for (const filter of filters) {
      const { data, total } = await server.as(owner)(alerts.log, filter);
      expect({ filter, found: ids(data), total }).toEqual({ filter, found: [wanted], total: 1 });
    }
    const all = Object.assign({}, ...filters);
    expect(ids((await server.as(owner)(alerts.log, all)).data)).toEqual([wanted]);
    expect((await server.as(owner)(alerts.log, { ...all, email: "somebody else" })).total).toBe(0);
    expect((await server.as(owner)(alerts.log, { createdEndTime: at(11) })).total).toBe(0);
  });

  test("finds for a viewer by the confirmer's name, not by the address that it does not show", async () => {
    const { owner, alert, device } = await aPlant();
    await alert({ acceptedBy: owner.accountId });
    const dashboardId = await aDashboard(server.world, owner, { channels: [Number(device.channels.AI1)] });
    const viewer = server.as(await aViewer(server.world, owner, dashboardId));
    const found = async (email: string) => (await viewer(alerts.log, { email })).total;
    expect([await found("olga"), await found(owner.email)]).toEqual([1, 0]);
  });

  test("searches for % and _ literally", async () => {
    const { owner, alert } = await aPlant();
    await alert();
    const found = async (deviceName: string) => (await server.as(owner)(alerts.log, { deviceName })).total;
    expect(await found("100%")).toBe(1);
    expect(await found("1%%%")).toBe(0);
    expect(await found("P_mp")).toBe(0);
    expect(await found("\\")).toBe(0);
  });

  test("has the three newest notifications for the strip, and notifications among its rows", async () => {
    const { owner, alert } = await aPlant();
    await alert({ ago: 1 });
    const notes = [];
    for (const ago of [5, 4, 3, 2]) notes.push(await alert({ ago, alarmClass: 4, alarmType: 3, msg: "Offline" }));
    const log = await server.as(owner)(alerts.log);
    expect(ids(log.notifications)).toEqual(notes.slice(1).reverse());
    expect(log.total).toBe(5);
    expect((await server.as(owner)(alerts.log, { alarmClass: [4] })).total).toBe(4);
    const list = await server.as(owner)(alerts.notifications, { size: 3 });
    expect(ids(list.data)).toEqual(notes.slice(1).reverse());
    expect(list).toMatchObject({ total: 4, total_pages: 2 });
    expect(list.data[0]).toMatchObject({ msg: "Offline", acceptTime: null, acceptBy: null, deviceName: "Pump 100%" });
  });

  test("finds notifications by when they were confirmed", async () => {
    const { owner, alert } = await aPlant();
    const note = { alarmClass: AlertClass.notification, alarmType: AlertType.system };
    const wanted = await alert({ ...note, ago: 10, status: 2, acceptedBy: owner.accountId });
    await alert({ ...note, ago: 10 });
    await alert({ ...note, ago: 60, status: 2, acceptedBy: owner.accountId });
    const at = (minutesAgo: number) => new Date(server.world.clock.now() - minutesAgo * 60_000);
    const range = { modifyStartTime: at(11), modifyEndTime: at(9) };
    expect(ids((await server.as(owner)(alerts.notifications, range)).data)).toEqual([wanted]);
  });

  test("of a viewer holds the devices of its dashboard only", async () => {
    const { owner, channelId, alert } = await aPlant();
    const hidden = await aDevice(server.world, owner);
    const shown = await alert({ ago: 1 });
    await alert({ deviceId: hidden.deviceId, channelId: Number(hidden.channels.AI1) });
    const viewer = await aViewer(server.world, owner, await aDashboard(server.world, owner, { channels: [channelId] }));
    const as = server.as(viewer);
    expect(ids((await as(alerts.log)).data)).toEqual([shown]);
    expect(ids(await as(alerts.unconfirmed))).toEqual([shown]);
    expect(await as(alerts.confirmAll)).toEqual({ confirmed: 1 });
    expect((await server.as(owner)(alerts.unconfirmed)).length).toBe(1);
  });

  test("of a viewer without a dashboard is empty", async () => {
    const { owner, alert } = await aPlant();
    await alert();
    const viewer = await aViewer(server.world, owner);
    expect((await server.as(viewer)(alerts.log)).total).toBe(0);
  });

  test.each([
    ["status=high", "Status has to be a whole number"],
    ["size=100000", "Rows per page has to be a whole number from 1 to 200"],
    ["interval=1.5", "Report interval has to be a whole number"],
    ["createdStartTime=soon", "Start date (created) has to be a date as 2026-01-31 or 2026-01-31T08:00:00Z"],
    ["page=0", "Page has to be a whole number from 1 to 1000000"],
  ])("refuses %s", async (query, msg) => {
    const { owner } = await aPlant();
    const answer = await server.app.inject(`${alerts.log.path}?token=${owner.token}&${query}`);
    expect(answer.json()).toMatchObject({ code: 422, msg });
  });
});

test("an alert's time is that at which it was raised, in the log, of its channel and on the dashboard", async () => {
  const { owner, channelId, alert } = await aPlant();
  await alert({ ago: 5 });
  const as = server.as(owner);
  const answers = [
    (await as(alerts.log)).data,
    (await as(alerts.ofChannel, { deviceChannelId: channelId })).data,
    await as(alerts.unconfirmed),
  ];
  for (const [row] of answers) {
    expect(row?.time).toBeInstanceOf(Date);
    expect(row?.time).toEqual(row?.createdTime);
  }
});

describe("alerts of one channel", () => {
  test("are its own; of a device, those of all its channels", async () => {
    const { owner, device, channelId, alert } = await aPlant();
    const [first, second] = [await alert({ ago: 2 }), await alert({ ago: 1, channelId: Number(device.channels.AI2) })];
    const as = server.as(owner);
    expect(ids((await as(alerts.ofChannel, { deviceChannelId: channelId })).data)).toEqual([first]);
    expect(ids((await as(alerts.ofChannel, { deviceId: device.deviceId })).data)).toEqual([second, first]);
    await expect(as(alerts.ofChannel)).rejects.toEqual(refusal(422));
  });

  test("of another plant, or off a viewer's dashboard, do not exist", async () => {
    const [one, other] = [await aPlant(), await aPlant()];
    const as = server.as(one.owner);
    await expect(as(alerts.ofChannel, { deviceChannelId: other.channelId })).rejects.toEqual(refusal(404));
    await expect(as(alerts.ofChannel, { deviceId: other.device.deviceId })).rejects.toEqual(refusal(404));
    const viewer = server.as(await aViewer(server.world, one.owner));
    await expect(viewer(alerts.ofChannel, { deviceChannelId: one.channelId })).rejects.toEqual(refusal(404));
  });
});

describe("unconfirmed alerts", () => {
  test("are triggered ones of the equipment and of the system, newest first", async () => {
    const { owner, alert } = await aPlant();
    const old = await alert({ ago: 3 });
    const offline = await alert({ ago: 2, alarmClass: 4, alarmType: 3 });
    await alert({ status: 2 });
    await alert({ status: 3 });
    expect(ids(await server.as(owner)(alerts.unconfirmed))).toEqual([offline, old]);
  });
});

test("who has confirmed what still stands is told by channel, until it clears, within the account's scope", async () => {
  const [{ owner, channelId, alert }, other] = [await aPlant(), await aPlant()];
  const alarmLogId = await alert();
  await alert({ status: 3 });
  await other.alert({ status: 2, acceptedBy: other.owner.accountId });
  expect(await server.as(owner)(alerts.confirmed)).toEqual([]);
  await server.as(owner)(alerts.confirm, { alarmLogId });
  const confirmed = { acceptName: "Olga Tester", acceptTime: server.world.clock.date() };
  expect(await server.as(owner)(alerts.confirmed)).toMatchObject([{ deviceChannelId: channelId, ...confirmed }]);
  const elsewhere = await aDashboard(server.world, owner, { name: "Elsewhere" });
  expect(await server.as(await aViewer(server.world, owner, elsewhere))(alerts.confirmed)).toEqual([]);
  await server.world.db
    .updateTable("alerts")
    .set({ status: 3, cleared_time: new Date() })
    .where("alert_id", "=", alarmLogId)
    .execute();
  expect(await server.as(owner)(alerts.confirmed)).toEqual([]);
});
