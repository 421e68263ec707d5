import { alarms } from "@telltale/contract/domains/alarms";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTelemetry, type Telemetry } from "../../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../../test/test-alarm-times.ts";
import { type AlarmInput, aLowFlow } from "../../test/test-alarms.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { testPurchases } from "../../test/test-purchases.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";

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
  await server.world.db
    .updateTable("devices")
    .set({ expire_time: new Date(station.start + 300_000) })
    .where("device_id", "=", station.watchable.station.deviceId)
    .execute();
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

const add = (more: AlarmInput) => server.as(owner)(alarms.add, aLowFlow(station.watchable, more));
const pay = () => testPurchases(server).buy(owner, station.watchable.station.deviceId);

describe("a service that is renewed after it had ended", () => {
  test("raises nothing for a delay that ran when it ended: readings since were not evaluated", async () => {
    await add({ onDelay: 600 });
    await station.send(0, 10);
    await station.send(420, 50);
    await station.wait(900);
    await pay();
    await station.wait(920);
    expect(await station.raised()).toEqual([]);
    await station.send(1000, 9);
    await station.wait(1601);
    expect(await station.raised()).toEqual([[1600, null, 9, 9]]);
  });

  test("leaves an alert that stands open, and ends one that was waiting to clear by the readings to come", async () => {
    await add({ offDelay: 600 });
    await station.send(0, 10);
    await station.send(200, 50);
    await station.send(420, 10);
    await station.wait(900);
    await pay();
    await station.send(920, 9);
    expect(await station.raised()).toEqual([[0, null, 10, 9]]);
    await station.send(940, 50);
    await station.wait(1541);
    expect(await station.raised()).toEqual([[0, 1540, 10, 9]]);
  });
});
