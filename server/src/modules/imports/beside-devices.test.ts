import { alarms } from "@telltale/contract/domains/alarms";
import { imports } from "@telltale/contract/domains/readings/imports";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTelemetry, type Telemetry } from "../../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../../test/test-alarm-times.ts";
import { aLowFlow } from "../../test/test-alarms.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createImportExpiry } from "./index.ts";

let server: TestServer;
let telemetry: Telemetry;
let owner: Person;
let station: TimedStation;
beforeAll(async () => {
  server = await startTestServer();
  telemetry = createTelemetry(server.world);
});
beforeEach(async () => {
  owner = await anOwner(server.world);
  station = await aTimedStation(server, telemetry, owner);
  await server.as(owner)(alarms.add, aLowFlow(station.watchable));
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

/** Stores readings of the station's AI3, all too low, from a file. Times are seconds after the start. Returns the import, which is not ended. */
const storeLow = async (seconds: readonly number[]): Promise<number> => {
  const as = server.as(owner);
  const { importId } = await as(imports.begin, { fileName: "low.csv", digest: "a".repeat(64) });
  const times = seconds.map((at) => station.start + at * 1000);
  const columns = { counts: [times.length], times, values: times.map(() => 5) };
  const deviceChannelIds = [station.watchable.station.channels.AI3 ?? 0];
  await as(imports.store, { importId, after: 0, position: 1, line: 1, unreadable: 0, deviceChannelIds, ...columns });
  return importId;
};

/** Imports such a file to its end. */
const importLow = async (seconds: readonly number[]): Promise<void> => {
  const importId = await storeLow(seconds);
  await server.as(owner)(imports.end, { importId });
};

test("past readings beyond a limit raise nothing, and the next one of the device does", async () => {
  await station.send(10, 50);
  await station.wait(600);
  await importLow([-86_400, 5, 300]);
  expect(await station.raised()).toEqual([]);
  await station.send(620, 5);
  expect(await station.raised()).toEqual([[620, null, 5, 5]]);
});

test("a device's late reading that is older than an imported one is not taken for the newest", async () => {
  await station.send(10, 50);
  await station.wait(600);
  await importLow([300]);
  await station.send(610, 5, { time: 200 });
  expect(await station.raised()).toEqual([]);
});

test("what an import that was given up has stored counts once it is removed", async () => {
  await station.send(10, 50);
  await station.wait(600);
  await storeLow([300]);
  const removal = 31 * 86_400;
  server.world.clock.pass(removal * 1000);
  await createImportExpiry(server.world).run();
  await station.send(removal + 700, 5, { time: 200 });
  expect(await station.raised()).toEqual([]);
});

test("an older past reading does not hide what is newest: the alert that stands goes on", async () => {
  await station.send(10, 5);
  await station.wait(600);
  await importLow([-3_600, 9]);
  await station.send(620, 50);
  expect(await station.raised()).toEqual([[10, 620, 5, 5]]);
});
