import { alerts } from "@telltale/contract/domains/alerts";
import { devices } from "@telltale/contract/domains/devices";
import { LiveCommand, type LiveMessage, livePath } from "@telltale/contract/live";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hashOf } from "../modules/accounts/sign-in/sessions.ts";
import { endSignIn } from "../modules/accounts/sign-in/sign-in.ts";
import { aDashboard } from "../test/test-dashboards.ts";
import { aDevice } from "../test/test-devices.ts";
import { aListener, type Listener } from "../test/test-listener.ts";
import { anInstaller, anOwner, aSupportView, aViewer, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";
import { hubLimits } from "./hub.ts";

let server: TestServer;
let address: string;
const listeners: Listener[] = [];

beforeAll(async () => {
  const limits = { ...hubLimits, gather: 20, heartbeat: 150, ping: 150, recheck: 200, perAccount: 3 };
  server = await startTestServer({ live: { publicUrl: "https://plant.example.test", limits } });
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  address = `ws://127.0.0.1:${(server.app.server.address() as { port: number }).port}`;
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.end();
});
afterAll(() => server.close());

const listen = (
  person: Person,
  options: Parameters<typeof aListener>[1] = {},
  path = livePath(person.userId, person.accountId),
) => {
  const listener = aListener(`${address}${path}?token=${person.token}`, options);
  listeners.push(listener);
  return listener;
};

const value = (deviceChannelId: number, to: number) =>
  ({ cmd: LiveCommand.value, deviceChannelId, value: to, status: 1, updateTime: 1 }) as const;
const emit = (person: Person, ...messages: LiveMessage[]) => {
  for (const message of messages) server.world.bus.emit("live", { plantId: person.plantId, message });
};

test("a socket that joins right after a change receives it: its page may have been fetched before", async () => {
  const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
  const change = (deviceId: number) => ({ cmd: LiveCommand.alertChange, deviceId }) as const;
  emit(owner, change(1), value(1, 5), change(2), change(1));
  emit(other, change(3));
  const listener = listen(owner);
  await listener.opened;
  expect(await listener.next()).toEqual(change(2));
  expect(await listener.next()).toEqual(change(1));
  emit(owner, value(1, 6));
  expect(await listener.next()).toEqual(value(1, 6));
});

describe("who may listen", () => {
  test("is whom the token belongs to", async () => {
    const owner = await anOwner(server.world);
    const listener = listen(owner);
    await listener.opened;
    emit(owner, value(1, 5));
    expect(await listener.next()).toEqual(value(1, 5));
  });

  test("is nobody with another's path, an unknown token or none: closed with 4401", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const wrong = [
      listen(owner, {}, livePath(other.userId, other.accountId)),
      listen(owner, {}, livePath(owner.userId, other.accountId)),
      listen({ ...owner, token: "unknown" }),
      listen({ ...owner, token: "" }),
    ];
    for (const listener of wrong) expect((await listener.closed).code).toBe(4401);
  });

  test("is a page of ours and what is no browser", async () => {
    const owner = await anOwner(server.world);
    await listen(owner, { origin: address.replace("ws:", "http:") }).opened;
    await listen(owner, { origin: "https://plant.example.test" }).opened;
    await expect(listen(owner, { origin: "https://evil.example.test" }).opened).rejects.toThrow("403");
    await expect(listen(owner, { origin: "null" }).opened).rejects.toThrow("403");
  });

  test("is a support view too, which only reads", async () => {
    const owner = await anOwner(server.world);
    await listen(await aSupportView(server.world, owner)).opened;
  });

  test("is an account with so many sockets and no more", async () => {
    const owner = await anOwner(server.world);
    const allowed = [listen(owner), listen(owner), listen(owner)];
    await Promise.all(allowed.map((listener) => listener.opened));
    expect((await listen(owner).closed).code).toBe(1013);
    emit(owner, value(1, 5));
    for (const listener of allowed) expect(await listener.next()).toEqual(value(1, 5));
  });
});

describe("what is heard", () => {
  test("is one's own plant only", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const listener = listen(owner);
    await listener.opened;
    emit(other, value(1, 6));
    emit(owner, value(2, 7));
    expect(await listener.next()).toEqual(value(2, 7));
  });

  test("is the newest value of what came at once, one message a frame", async () => {
    const owner = await anOwner(server.world);
    const listener = listen(owner);
    await listener.opened;
    emit(owner, value(1, 1), value(2, 1), value(1, 2), { cmd: LiveCommand.alertChange, deviceId: 4 }, value(1, 3));
    expect([await listener.next(), await listener.next(), await listener.next()]).toEqual([
      value(1, 3),
      value(2, 1),
      { cmd: LiveCommand.alertChange, deviceId: 4, unconfirmed: [], confirmed: [], log: expect.anything() },
    ]);
  });

  test("by an installer is the whole plant, by a viewer its dashboard", async () => {
    const owner = await anOwner(server.world);
    const [shown, hidden] = [await aDevice(server.world, owner), await aDevice(server.world, owner)];
    const dashboardId = await aDashboard(server.world, owner, { channels: [Number(shown.channels.AI1)] });
    const viewer = listen(await aViewer(server.world, owner, dashboardId));
    const installer = listen(await anInstaller(server.world, owner));
    await Promise.all([viewer.opened, installer.opened]);
    const hiddenId = Number(hidden.channels.AI1);
    emit(
      owner,
      value(hiddenId, 1),
      { cmd: LiveCommand.alertChange, deviceId: hidden.deviceId },
      value(Number(shown.channels.AI2), 2),
    );
    expect(await viewer.next()).toEqual(value(Number(shown.channels.AI2), 2));
    expect(await installer.next()).toEqual(value(hiddenId, 1));
  });

  test("by a viewer follows its dashboard", async () => {
    const { world } = server;
    const owner = await anOwner(world);
    const [first, second] = [await aDevice(world, owner), await aDevice(world, owner)];
    const dashboardId = await aDashboard(world, owner, { channels: [Number(first.channels.AI1)] });
    const viewer = listen(await aViewer(world, owner, dashboardId));
    await viewer.opened;
    await world.db.deleteFrom("dashboard_tiles").where("dashboard_id", "=", dashboardId).execute();
    await world.db
      .insertInto("dashboard_tiles")
      .values({ dashboard_id: dashboardId, position: 1, channel_id: Number(second.channels.AI1) })
      .execute();
    emit(
      owner,
      { cmd: LiveCommand.dashboardChange, deviceId: second.deviceId },
      value(Number(first.channels.AI1), 1),
      value(Number(second.channels.AI1), 2),
    );
    expect(await viewer.next()).toEqual({ cmd: LiveCommand.dashboardChange, deviceId: second.deviceId });
    expect(await viewer.next()).toEqual(value(Number(second.channels.AI1), 2));
  });

  test("does not wait for what viewers of another plant may see, and theirs comes once that is known", async () => {
    const [owner, other] = [await anOwner(server.world), await anOwner(server.world)];
    const device = await aDevice(server.world, other);
    const dashboardId = await aDashboard(server.world, other, { channels: [Number(device.channels.AI1)] });
    const viewer = listen(await aViewer(server.world, other, dashboardId));
    const listener = listen(owner);
    await Promise.all([viewer.opened, listener.opened]);
    const blocker = await server.world.pool.connect();
    try {
      await blocker.query("BEGIN; LOCK TABLE devices IN ACCESS EXCLUSIVE MODE");
      const change = { cmd: LiveCommand.dashboardChange } as const;
      emit(other, change);
      await new Promise((resolve) => setTimeout(resolve, 100));
      emit(owner, value(1, 5));
      emit(other, value(Number(device.channels.AI1), 6), change);
      expect(await listener.next()).toEqual(value(1, 5));
      await blocker.query("COMMIT");
      expect(await viewer.next()).toEqual(change);
      expect(await viewer.next()).toEqual(value(Number(device.channels.AI1), 6));
      expect(await viewer.next()).toEqual(change);
    } finally {
      blocker.release(true);
    }
  });

  test("by a viewer ends while it is unknown what the dashboard shows now", async () => {
    const { world } = server;
    const owner = await anOwner(world);
    const device = await aDevice(world, owner);
    const dashboardId = await aDashboard(world, owner, { channels: [Number(device.channels.AI1)] });
    const viewer = listen(await aViewer(world, owner, dashboardId));
    await viewer.opened;
    await world.pool.query("ALTER TABLE dashboard_tiles RENAME TO dashboard_tiles_away");
    emit(owner, { cmd: LiveCommand.dashboardChange }, value(Number(device.channels.AI1), 1));
    expect((await viewer.closed).code).toBe(1012);
    await world.pool.query("ALTER TABLE dashboard_tiles_away RENAME TO dashboard_tiles");
  });

  test("is that an alert was confirmed, with the device's alerts that still wait", async () => {
    const { world } = server;
    const owner = await anOwner(world);
    const device = await aDevice(world, owner);
    const raised = {
      plant_id: owner.plantId,
      device_id: device.deviceId,
      channel_id: Number(device.channels.AI1),
      alarm_class: 2,
      alarm_type: 1,
      status: 1,
      created_time: new Date(),
    } as const;
    const [first, second] = await world.db
      .insertInto("alerts")
      .values([
        { ...raised, rule_key: "x" },
        { ...raised, rule_key: "y", value: 81.5 },
      ])
      .returning("alert_id")
      .execute();
    const listener = listen(owner);
    await listener.opened;
    await server.as(owner)(alerts.confirm, { alarmLogId: first?.alert_id ?? 0 });
    const [waiting] = await server.as(owner)(alerts.unconfirmed);
    expect(waiting).toMatchObject({ alarmLogId: second?.alert_id, value: 81.5 });
    const message = (await listener.next()) as { unconfirmed: unknown; confirmed: unknown };
    const { status } = (await server.as(owner)(devices.detail, { deviceId: device.deviceId })).device;
    expect(message).toMatchObject({ cmd: LiveCommand.alertChange, deviceId: device.deviceId, status });
    expect(alerts.unconfirmed.result.parse(message.unconfirmed)).toEqual([waiting]);
    const confirmed = await server.as(owner)(alerts.confirmed);
    expect(confirmed).toMatchObject([{ deviceId: device.deviceId, deviceChannelId: raised.channel_id }]);
    expect(alerts.confirmed.result.parse(message.confirmed)).toEqual(confirmed);
  });
});

describe("how long", () => {
  test("a heartbeat comes while nothing happens", async () => {
    const listener = listen(await anOwner(server.world), { withHeartbeats: true });
    expect(await listener.next()).toEqual({ cmd: "heartbeat" });
    expect(await listener.next()).toEqual({ cmd: "heartbeat" });
  });

  test("a peer that does not answer is dropped", async () => {
    const listener = listen(await anOwner(server.world), { autoPong: false });
    await listener.opened;
    expect((await listener.closed).code).toBe(1006);
  });

  test("until the token is signed out", async () => {
    const owner = await anOwner(server.world);
    const listener = listen(owner);
    await listener.opened;
    await endSignIn(server.world, { tokenHash: hashOf(owner.token).toString("hex") } as never);
    expect((await listener.closed).code).toBe(4401);
  });

  test("until the token runs out", async () => {
    const owner = await anOwner(server.world);
    const listener = listen(owner);
    await listener.opened;
    await server.world.db
      .updateTable("sign_ins")
      .set({ ends_time: new Date(0) })
      .where("account_id", "=", owner.accountId)
      .execute();
    expect((await listener.closed).code).toBe(4401);
  });

  test("until the account may see other things", async () => {
    const owner = await anOwner(server.world);
    const viewer = await aViewer(server.world, owner);
    const listener = listen(viewer);
    await listener.opened;
    await server.world.db
      .updateTable("accounts")
      .set({ dashboard_id: 1 })
      .where("account_id", "=", viewer.accountId)
      .execute();
    expect((await listener.closed).code).toBe(1012);
  });

  test("until the server stops, which says that it goes away", async () => {
    const other = await startTestServer();
    await other.app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = other.app.server.address() as { port: number };
    const owner = await anOwner(other.world);
    const listener = aListener(`ws://127.0.0.1:${port}${livePath(owner.userId, owner.accountId)}?token=${owner.token}`);
    await listener.opened;
    await other.close();
    expect((await listener.closed).code).toBe(1001);
  });
});
