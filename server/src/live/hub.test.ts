import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callerFinder } from "../modules/accounts/index.ts";
import { aDashboard } from "../test/test-dashboards.ts";
import { aDevice } from "../test/test-devices.ts";
import { anOwner, aViewer } from "../test/test-people.ts";
import { createTestWorld, type TestWorld } from "../test/test-world.ts";
import { createHub } from "./hub.ts";
import type { Connection } from "./plant/connection.ts";

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
    changedOf: async () => ({ unconfirmed: [], confirmed: [], statuses: new Map() }),
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
