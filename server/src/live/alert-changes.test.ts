import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { type ListChange, listChangeOf } from "@telltale/contract/domains/alerting/live-log";
import { AlertClass, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { type LiveAlertChange, LiveCommand, livePath } from "@telltale/contract/live";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { announce, clear, raise } from "../alarms/index.ts";
import { notify } from "../platform/bus/device-notices.ts";
import { aDashboard } from "../test/test-dashboards.ts";
import { aDevice } from "../test/test-devices.ts";
import { aListener, type Listener } from "../test/test-listener.ts";
import { anOwner, aViewer, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
const listeners: Listener[] = [];

beforeAll(async () => {
  server = await startTestServer({}, { sharing: "shared" });
  await server.app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.end();
});
afterAll(() => server.close());

type Device = Awaited<ReturnType<typeof aDevice>>;
const minute = 60_000;

const listen = async (person: Person): Promise<Listener> => {
  const { port } = server.app.server.address() as { port: number };
  const path = livePath(person.userId, person.accountId);
  const listener = aListener(`ws://127.0.0.1:${port}${path}?token=${person.token}`);
  listeners.push(listener);
  await listener.opened;
  return listener;
};
const nextChange = async (listener: Listener): Promise<LiveAlertChange> => {
  const message = (await listener.next()) as LiveAlertChange;
  return message.cmd === LiveCommand.alertChange ? message : nextChange(listener);
};
/** What the next message tells of the lists. */
const listsAfter = async (listener: Listener): Promise<ListChange> => {
  const change = listChangeOf(await nextChange(listener));
  if (!change) throw new Error("The message does not tell what has changed");
  return change;
};

let rules = 0;
/** Raises an alert of a device's first channel, by default now, and tells the consoles; returns the key of its rule. */
const raised = async (
  owner: Person,
  device: Device,
  more: { at?: number; clearedAt?: number } = {},
): Promise<string> => {
  rules += 1;
  const now = server.world.clock.now();
  const [place, key] = [{ deviceId: device.deviceId, channelId: Number(device.channels.AI1) }, `changed ${rules}`];
  const kind = { alarmClass: AlertClass.threshold, alarmType: AlertType.high, value: 81.5, unit: "bar", threshold: 80 };
  const alert = { plantId: owner.plantId, ...place, ...kind, at: now, ...more, key };
  announce(server.world.bus, await raise(server.world.pool, [alert], now));
  return key;
};
const cleared = async (key: string): Promise<void> =>
  announce(server.world.bus, await clear(server.world.pool, [{ key, at: server.world.clock.now() }]));

const standingOf = async (person: Person) => (await server.as(person)(alertEntries.standing, {})).data;
const logOf = async (person: Person) => (await server.as(person)(alerts.log, {})).data;

test("a message carries what has changed of an alert, as the lists tell it, so that open lists ask nothing: raised, confirmed, cleared", async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  const listener = await listen(owner);
  await raised(owner, device, { at: server.world.clock.now() - 10 * minute });
  await nextChange(listener);
  const key = await raised(owner, device);
  const first = await listsAfter(listener);
  const [now] = await standingOf(owner);
  expect(first.rows, "the one before is not told again").toEqual([now]);
  expect(first.standing.toSorted()).toEqual((await standingOf(owner)).map(({ alarmLogId }) => alarmLogId).toSorted());

  await server.as(owner)(alerts.confirm, { alarmLogId: now?.alarmLogId ?? 0 });
  const confirmed = await listsAfter(listener);
  expect(confirmed.rows).toEqual((await standingOf(owner)).filter(({ alarmLogId }) => alarmLogId === now?.alarmLogId));
  expect(confirmed.rows[0]?.acceptName).not.toBeNull();

  await cleared(key);
  const ended = await listsAfter(listener);
  expect(ended.standing).toHaveLength(1);
  const [newest] = await logOf(owner);
  expect(alerts.log.result.shape.data.parse(alerts.log.result.shape.data.encode(ended.rows))).toEqual([newest]);
  expect(newest?.modifiedTime).not.toBeNull();
});

test("an alert that has come and gone between two looks is told, also when its device reports it late", async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  const listener = await listen(owner);
  const now = server.world.clock.now();
  for (let i = 0; i < 8; i++) await raised(owner, device, { at: now - minute, clearedAt: now });
  await raised(owner, device, { at: now - 600 * minute, clearedAt: now - 590 * minute });
  const told = new Set<number>();
  await expect
    .poll(async () => {
      for (const { alarmLogId } of (await listsAfter(listener)).rows) told.add(alarmLogId);
      return told.size;
    })
    .toBe(9);
  expect(told).toEqual(new Set((await logOf(owner)).map(({ alarmLogId }) => alarmLogId)));
});

test("the first of several alerts of a family is told how many they are, and only who sees all of the family is told", async () => {
  const owner = await anOwner(server.world);
  const master = await aDevice(server.world, owner);
  const sub = await aDevice(server.world, owner, { parentDeviceId: master.deviceId });
  const [ofMaster, ofSub] = [Number(master.channels.AI1), Number(sub.channels.AI1)];
  const viewerOf = async (channels: number[]) =>
    listen(await aViewer(server.world, owner, await aDashboard(server.world, owner, { channels })));
  const [all, both, one] = [await listen(owner), await viewerOf([ofMaster, ofSub]), await viewerOf([ofSub])];
  await raised(owner, master, { at: server.world.clock.now() - 5_000 });
  const [cause] = (await listsAfter(all)).rows;
  await nextChange(both);
  await raised(owner, sub);
  const places = [{ alarmLogId: cause?.alarmLogId, firstOf: 2, follows: null }];
  const change = await listsAfter(all);
  expect(change.places).toEqual(places);
  expect(change.rows).toMatchObject([{ deviceId: sub.deviceId, follows: { alarmLogId: cause?.alarmLogId } }]);
  expect((await listsAfter(both)).places).toEqual(places);
  const message = await nextChange(one);
  expect(message).toMatchObject({ deviceId: sub.deviceId, unconfirmed: [{ deviceId: sub.deviceId }] });
  expect(message.log, "the alert that it follows is not the viewer's to see").toBeUndefined();
});

test("what has changed while nobody listened is told to who listens next with the device's next change", async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  const before = await listen(owner);
  const key = await raised(owner, device);
  const [alert] = (await listsAfter(before)).rows;
  before.end();
  await before.closed;
  await expect
    .poll(async () => {
      await server.as(owner)(alerts.confirm, { alarmLogId: alert?.alarmLogId ?? 0, note: "Looked at it" });
      return (await standingOf(owner))[0]?.acceptName;
    })
    .not.toBeNull();
  const after = await listen(owner);
  await raised(owner, device);
  await expect
    .poll(async () => (await listsAfter(after)).rows.map(({ alarmLogId }) => alarmLogId))
    .toContain(alert?.alarmLogId);
  await cleared(key);
  expect(await listsAfter(after)).toMatchObject({ rows: [{ alarmLogId: alert?.alarmLogId, status: 3 }] });
});

test("a device's new name is in all its alerts, also those that ended long ago: consoles fetch them", async () => {
  const owner = await anOwner(server.world);
  const { deviceId, ...device } = await aDevice(server.world, owner);
  const listener = await listen(owner);
  await raised(owner, { deviceId, ...device });
  await listsAfter(listener);
  await server.as(owner)(deviceConfiguration.update, { deviceId, deviceName: "Pump house 3" });
  const message = await nextChange(listener);
  expect(message).toMatchObject({ deviceId, unconfirmed: [{ deviceName: "Pump house 3" }] });
  expect(message.log).toBeUndefined();
  await notify(server.world.db, { plantId: owner.plantId, deviceId, isOffline: true });
  expect((await listsAfter(listener)).deviceId).toBe(deviceId);
});

test("many changes at once are not told one by one: consoles fetch a page", async () => {
  const owner = await anOwner(server.world);
  const device = await aDevice(server.world, owner);
  const listener = await listen(owner);
  await Promise.all(Array.from({ length: 45 }, () => raised(owner, device)));
  const messages: LiveAlertChange[] = [];
  await expect
    .poll(async () => {
      messages.push(await nextChange(listener));
      return messages.at(-1)?.unconfirmed;
    })
    .toBeUndefined();
  expect(messages.at(-1)).toMatchObject({ deviceId: device.deviceId });
  expect(messages.at(-1)?.log).toBeUndefined();
});
