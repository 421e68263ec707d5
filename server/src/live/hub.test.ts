import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callerFinder } from "../modules/accounts/index.ts";
import { aDashboard } from "../test/test-dashboards.ts";
import { aDevice } from "../test/test-devices.ts";
import { anOwner, aViewer } from "../test/test-people.ts";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import { createHub } from "./hub.ts";
import type { Connection } from "./plant/connection.ts";
import { createVisibility } from "./plant/visibility.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createTestWorld();
});
afterAll(() => world.close());

test("a viewer hears nothing of a device that left its dashboard while it connected", async () => {
  const findCaller = callerFinder(world);
  const hub = createHub({
    ...world,
    metrics: new Registry(),
    findCaller,
    changedOf: async () => ({
      ...{ rows: [], unconfirmed: [], confirmed: [] },
      relatives: new Map(),
      isWhole: true,
      statuses: new Map(),
    }),
  });
  hub.start();
  const owner = await anOwner(world);
  const device = await aDevice(world, owner);
  const channelId = Number(device.channels.AI1);
  const dashboardId = await aDashboard(world, owner, { channels: [channelId] });
  const { token } = await aViewer(world, owner, dashboardId);
  const caller = await findCaller(token);
  if (!caller) throw new Error("The viewer is signed in");
  const visibility = await hub.visibilityOf(caller);
  await world.db.deleteFrom("dashboard_tiles").where("dashboard_id", "=", dashboardId).execute();
  const emit = (message: LiveMessage) => world.bus.emit("live", { plantId: owner.plantId, message });
  emit({ cmd: LiveCommand.dashboardChange });
  const heard: LiveMessage[] = [];
  const sendBuffer: Connection["sendBuffer"] = {
    isHolding: false,
    drain: () => undefined,
    offer: (frames) => {
      heard.push(...frames.map(({ message }) => message));
      return 0;
    },
  };
  const socket = {
    beat: () => undefined,
    ping: () => true,
    signOut: () => undefined,
    close: () => undefined,
    cut: () => undefined,
  };
  hub.join({ token, caller, visibility, sendBuffer, ...socket });
  await expect.poll(() => heard).toEqual([{ cmd: LiveCommand.dashboardChange }]);
  emit({ cmd: LiveCommand.value, deviceChannelId: channelId, value: 5, status: 1, updateTime: 1 });
  emit({ cmd: LiveCommand.dashboardChange });
  await expect.poll(() => heard).toHaveLength(2);
  hub.stop();
  expect(heard.map(({ cmd }) => cmd)).not.toContain(LiveCommand.value);
});

test("a viewer hears of a device that has left its dashboard, and a few seconds later no more", async () => {
  const owner = await anOwner(world);
  const device = await aDevice(world, owner);
  const dashboardId = await aDashboard(world, owner, { channels: [Number(device.channels.AI1)] });
  const { token } = await aViewer(world, owner, dashboardId);
  const caller = await callerFinder(world)(token);
  if (!caller) throw new Error("The viewer is signed in");
  const visibility = await createVisibility(world.db, caller);
  await world.db.deleteFrom("dashboard_tiles").where("dashboard_id", "=", dashboardId).execute();
  await visibility.reload?.();
  const change: LiveMessage = { cmd: LiveCommand.alertChange, deviceId: device.deviceId, unconfirmed: [] };
  expect(visibility.sees(change)).toBe(true);
  const later = performance.now() + 6_000;
  const clock = vi.spyOn(performance, "now").mockReturnValue(later);
  expect(visibility.sees(change)).toBe(false);
  clock.mockRestore();
});
