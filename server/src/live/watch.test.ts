import { LiveCommand, type LiveMessage, livePath } from "@telltale/contract/live";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { aDashboard } from "../test/test-dashboards.ts";
import { aDevice } from "../test/test-devices.ts";
import { aListener, type Listener } from "../test/test-listener.ts";
import { anOwner, aViewer, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let address: string;
const listeners: Listener[] = [];

beforeAll(async () => {
  server = await startTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  address = `ws://127.0.0.1:${(server.app.server.address() as { port: number }).port}`;
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.end();
});
afterAll(() => server.close());

const listen = ({ userId, accountId, token }: Person): Listener => {
  const listener = aListener(`${address}${livePath(userId, accountId)}?token=${token}`);
  listeners.push(listener);
  return listener;
};
const value = (deviceChannelId: number, to: number) =>
  ({ cmd: LiveCommand.value, deviceChannelId, value: to, status: 1, updateTime: 1 }) as const;
const emit = (person: Person, ...messages: LiveMessage[]) => {
  for (const message of messages) server.world.bus.emit("live", { plantId: person.plantId, message });
};

test("a socket is sent the channels that its client names, with the newest values of those it names later", async () => {
  const owner = await anOwner(server.world);
  const [all, phone] = [listen(owner), listen(owner)];
  await Promise.all([all.opened, phone.opened]);
  const watch = async (...deviceChannelIds: number[]) => {
    phone.socket.send(JSON.stringify({ cmd: "watch", deviceChannelIds }));
    // A pong answers in order, so that the message before has been read.
    await new Promise((resolve) => {
      phone.socket.once("pong", resolve);
      phone.socket.ping();
    });
  };
  await watch(1);
  emit(owner, value(2, 5), value(1, 6), { cmd: LiveCommand.alertChange, deviceId: 4 });
  expect([await all.next(), await all.next(), await all.next()]).toHaveLength(3);
  expect([await phone.next(), await phone.next()]).toEqual([
    value(1, 6),
    { cmd: LiveCommand.alertChange, deviceId: 4, unconfirmed: [], confirmed: [], log: expect.anything() },
  ]);
  await watch(2, 1, 3);
  expect(await phone.next()).toEqual(value(2, 5));
  emit(owner, value(3, 7));
  expect(await phone.next()).toEqual(value(3, 7));
  await watch();
  emit(owner, value(1, 8), value(2, 8), { cmd: LiveCommand.jointChange });
  expect(await phone.next()).toEqual({ cmd: LiveCommand.jointChange });
  // Shortly after one that was evaluated the last valid one counts.
  await watch();
  phone.socket.send(JSON.stringify({ cmd: "watch" }));
  phone.socket.send(JSON.stringify({ cmd: "watch", deviceChannelIds: "all" }));
  phone.socket.send("no message");
  await expect
    .poll(() => {
      emit(owner, value(5, 9));
      return phone.received.length;
    })
    .toBeGreaterThan(0);
});

test("a viewer names no channel that it must not see", async () => {
  const owner = await anOwner(server.world);
  const [shown, hidden] = [await aDevice(server.world, owner), await aDevice(server.world, owner)];
  const dashboardId = await aDashboard(server.world, owner, { channels: [Number(shown.channels.AI1)] });
  const viewer = listen(await aViewer(server.world, owner, dashboardId));
  await viewer.opened;
  const [seen, unseen] = [Number(shown.channels.AI1), Number(hidden.channels.AI1)];
  viewer.socket.send(JSON.stringify({ cmd: "watch", deviceChannelIds: [] }));
  emit(owner, value(unseen, 1), value(seen, 1));
  viewer.socket.send(JSON.stringify({ cmd: "watch", deviceChannelIds: [unseen, seen] }));
  await expect
    .poll(() => {
      emit(owner, value(unseen, 2), value(seen, 2));
      return viewer.received.length;
    })
    .toBeGreaterThan(0);
  expect(new Set(viewer.received.map((message) => (message as { deviceChannelId: number }).deviceChannelId))).toEqual(
    new Set([seen]),
  );
});

test("a socket that has named channels is sent each at most five times a second, and its newest value at last", async () => {
  const owner = await anOwner(server.world);
  const [all, phone] = [listen(owner), listen(owner)];
  await Promise.all([all.opened, phone.opened]);
  phone.socket.send(JSON.stringify({ cmd: "watch", deviceChannelIds: [1, 2] }));
  await expect
    .poll(() => {
      emit(owner, value(2, 0));
      return phone.received.length;
    })
    .toBeGreaterThan(0);
  const began = performance.now();
  let last = 0;
  for (; performance.now() - began < 1_000; last += 1) {
    emit(owner, value(1, last + 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const got = (listener: Listener) =>
    listener.received.filter((message) => (message as { deviceChannelId: number }).deviceChannelId === 1);
  await expect.poll(() => got(phone).at(-1)).toEqual(value(1, last));
  const most = 2 + Math.ceil((performance.now() - began) / 200);
  expect(got(phone).length).toBeLessThanOrEqual(most);
  expect(got(all).length, "one that has named none is sent more").toBeGreaterThan(got(phone).length);
});

test("a value that is held back reaches a socket that names other channels meanwhile", async () => {
  const owner = await anOwner(server.world);
  const phone = listen(owner);
  await phone.opened;
  phone.socket.send(JSON.stringify({ cmd: "watch", deviceChannelIds: [1] }));
  await expect
    .poll(() => {
      emit(owner, value(2, 0), value(1, 1));
      return phone.received.length;
    })
    .toBeGreaterThan(0);
  const newest = () =>
    phone.received.findLast((message) => (message as { deviceChannelId: number }).deviceChannelId === 1);
  emit(owner, value(1, 2));
  await expect.poll(newest).toEqual(value(1, 2));
  emit(owner, value(1, 3));
  // The flush that holds it back comes within 50 ms, the one that would send it after 200.
  await new Promise((resolve) => setTimeout(resolve, 80));
  phone.socket.send(JSON.stringify({ cmd: "watch", deviceChannelIds: [1, 5] }));
  await expect.poll(newest).toEqual(value(1, 3));
});
