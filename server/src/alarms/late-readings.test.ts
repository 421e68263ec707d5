import { alarms } from "@telltale/contract/domains/alarms";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { aTimedStation } from "../test/test-alarm-times.ts";
import { aLowFlow } from "../test/test-alarms.ts";
import { anOwner } from "../test/test-people.ts";
import { startTestServer } from "../test/test-server.ts";

test("late readings are data for every node: an alarm about missing data is not raised while they come to another one", async () => {
  const server = await startTestServer();
  const [here, there] = [server.world, { ...server.world, metrics: new Registry() }].map(createTelemetry);
  if (!here || !there) throw new Error("Two nodes were created");
  const owner = await anOwner(server.world);
  const station = await aTimedStation(server, here, owner);
  const missing = { condition: AlarmCondition.noData, window: 300 };
  await server.as(owner)(alarms.add, aLowFlow(station.watchable, missing));
  await station.send(0, 40);
  for (let at = 20; at <= 900; at += 20) {
    await station.send(at, 1, { channel: "AI4", by: here });
    if (at % 140 === 0) await station.send(at, 41, { by: there, time: at - 3600 });
  }
  expect(await station.raised()).toEqual([]);
  for (let at = 920; at <= 1400; at += 20) await station.send(at, 1, { channel: "AI4", by: here });
  expect(await station.raised(), "none come any more").toEqual([[1140, null, null, null]]);
  await there.stop();
  await here.stop();
  await server.close();
});
