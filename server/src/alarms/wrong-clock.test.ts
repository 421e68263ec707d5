import { alarms } from "@telltale/contract/domains/alarms";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTelemetry, type Telemetry } from "../telemetry/telemetry.ts";
import { aTimedStation, type TimedStation } from "../test/test-alarm-times.ts";
import { type AlarmInput, aLowFlow } from "../test/test-alarms.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

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
});
afterAll(async () => {
  await telemetry.stop();
  await server.close();
});

const day = 86_400;
const add = (more: AlarmInput): Promise<{ alarmId: number }> =>
  server.as(owner)(alarms.add, aLowFlow(station.watchable, more));
/** A value while the device's clock is a day ahead. */
const sendAhead = (at: number, value: number) => station.send(at, value, { time: at + day });

describe("a device whose clock was a day ahead and is right again", () => {
  test("has an alert raised when its condition has held for the delay, counted from the first right time", async () => {
    await add({ onDelay: 600 });
    await station.send(0, 50);
    await sendAhead(10, 10);
    await station.send(70, 9);
    await station.send(300, 8);
    await station.wait(669);
    expect(await station.raised()).toEqual([]);
    await station.wait(671);
    expect(await station.raised()).toEqual([[670, null, 8, 8]]);
  });

  test("has an alert cleared when its condition was gone for the delay", async () => {
    await add({ offDelay: 60 });
    await station.send(0, 10);
    await sendAhead(10, 50);
    await station.send(70, 50);
    await station.wait(129);
    expect(await station.raised()).toEqual([[0, null, 10, 10]]);
    await station.wait(131);
    expect(await station.raised()).toEqual([[0, 130, 10, 10]]);
  });

  test.each(["on the node that raised it", "after a restart"])(
    "has an alert that was raised by the wrong time cleared by the first value back, %s",
    async (where) => {
      await add({});
      await sendAhead(0, 10);
      const by =
        where === "after a restart" ? createTelemetry({ ...server.world, metrics: new Registry() }) : telemetry;
      await station.send(60, 10, { by });
      expect(await station.raised()).toEqual([[day, null, 10, 10]]);
      await station.send(70, 50, { by });
      expect(await station.raised()).toEqual([[day, day, 10, 10]]);
      await station.send(80, 9, { by });
      expect(await station.raised()).toMatchObject([{}, [80, null, 9, 9]]);
      if (by !== telemetry) await by.stop();
    },
  );

  test("has no occurrences counted that lie in the future", async () => {
    await add({ times: 2, window: 300 });
    await sendAhead(0, 10);
    await sendAhead(10, 50);
    await station.send(70, 50);
    await station.send(80, 10);
    expect(await station.raised()).toEqual([]);
    await station.send(90, 50);
    await station.send(100, 10);
    expect(await station.raised()).toEqual([[100, null, 10, 10]]);
  });
});
