import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass, AlertStatus, AlertType, alerts } from "@telltale/contract/domains/alerts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTelemetry, type Telemetry } from "../../telemetry/telemetry.ts";
import { type AlarmInput, aLowFlow, aWatchableStation, type Watchable } from "../../test/test-alarms.ts";
import { anEscalatingPlant, type EscalatingPlant } from "../../test/test-escalating-plant.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

let server: TestServer;
let telemetry: Telemetry;
let plant: EscalatingPlant;
let watchable: Watchable;
let alarmId: number;

beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

/** A reading of the station's flow. */
const report = async (value: number): Promise<void> => {
  const device = await telemetry.registry.find({ token: watchable.station.accessToken });
  const channel = device?.channels.get("AI3");
  if (!device || !channel) throw new Error("The device is not known");
  const { promise, resolve } = Promise.withResolvers<string>();
  const reading = { channels: [channel], times: [server.world.clock.now()], values: [value] };
  telemetry.writer.submit({ devices: [device], ...reading, done: resolve });
  expect(await promise).toBe("stored");
};
const update = (more: AlarmInput) => server.as(plant.owner)(alarms.update, { ...aLowFlow(watchable, more), alarmId });
const log = async () => (await server.as(plant.owner)(alerts.log, { alarmClass: [AlertClass.custom] })).data;

// The flow is too low, and the owner has been notified of it.
beforeEach(async () => {
  plant = await anEscalatingPlant(server);
  watchable = await aWatchableStation(server.world, plant.owner);
  ({ alarmId } = await server.as(plant.owner)(alarms.add, aLowFlow(watchable)));
  await report(50);
  await plant.after(1);
  // That it is online again is another matter.
  plant.sent.length = 0;
  await report(10);
  await plant.after(0);
  expect(plant.mailsTo(plant.owner)).toHaveLength(1);
});

describe("an alert that stands", () => {
  test.each<[string, () => Promise<unknown>]>([
    ["is deleted", () => server.as(plant.owner)(alarms.remove, { alarmId })],
    ["watches something else", () => update({ type: AlertType.high, alarmValue: 90 })],
    ["is switched off", () => update({ enabled: 0 })],
  ])("clears when its rule %s, and nobody is notified that it is back to normal", async (_what, change) => {
    await change();
    await plant.after(1);
    await plant.after(60);
    expect(await log()).toMatchObject([{ status: AlertStatus.cleared }]);
    expect(plant.mailsTo(plant.owner)).toHaveLength(1);
  });

  test("is back to normal when its limit is moved so that the value is no longer beyond it", async () => {
    await update({ alarmValue: 5 });
    await plant.after(1);
    expect(await log()).toMatchObject([{ status: AlertStatus.cleared }]);
    expect(plant.mailsTo(plant.owner).at(-1)).toMatch(/^Back to normal: /);
  });
});
