import { AlertEventKind, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { silences } from "@telltale/contract/domains/alerting/silences";
import { audit } from "@telltale/contract/domains/audit";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { anAlert } from "../../test/test-alerts.ts";
import { aDevice, type TestDevice } from "../../test/test-devices.ts";
import { aDailyWindow, hour, windowTimes } from "../../test/test-maintenance.ts";
import { anOwner, type Person } from "../../test/test-people.ts";
import { startTestServer, type TestServer } from "../../test/test-server.ts";
import { createSilenceEnds } from "../index.ts";

let server: TestServer;
let owner: Person;
let device: TestDevice;
let other: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await anOwner(server.world);
  device = await aDevice(server.world, owner, { name: "Feed pump drive" });
  other = await aDevice(server.world, owner, { name: "Standby pump" });
});

const now = () => server.world.clock.now();
const plan = (more: object = {}) => aDailyWindow(now(), [device.deviceId], more);

test("a window is changed by who has seen the last change, with before and after in the audit log", async () => {
  const { silenceId } = await server.as(owner)(silences.add, plan());
  const change = { ...plan({ deviceIds: [other.deviceId], name: "Standby service" }), silenceId, version: 1 };
  await server.as(owner)(silences.update, change);
  await expect(server.as(owner)(silences.update, change)).rejects.toMatchObject({ code: 409 });
  expect(await server.as(owner)(silences.list)).toMatchObject([
    { alarmName: "Standby service", devices: [{ deviceId: other.deviceId }], version: 2, byName: "Olga Tester" },
  ]);
  const entry = (await server.as(owner)(audit.list)).data.find(({ action }) => action === "maintenance.edit");
  expect(entry?.target).toBe("Standby service");
  expect(entry?.changes.map(({ before, after }) => [before, after])).toEqual(
    expect.arrayContaining([
      ["Drive service", "Standby service"],
      ["Feed pump drive", "Standby pump"],
    ]),
  );
});

test("alerts that stand say when a changed window begins to silence them, and when it no longer does", async () => {
  const later = windowTimes(now() + hour, now() + 2 * hour);
  const { silenceId } = await server.as(owner)(silences.add, plan(later));
  const alarmLogId = await anAlert(server.world, owner, { deviceId: device.deviceId });
  const change = (more: object) => server.as(owner)(silences.update, { ...plan(more), silenceId });
  const ends = createSilenceEnds({ ...server.world, metrics: new Registry() });
  const { silenced, resumed } = AlertEventKind;
  const notes = async () => {
    const { timeline } = await server.as(owner)(alertEntries.info, { alarmLogId });
    return timeline.filter(({ kind }) => kind === silenced || kind === resumed).map(({ kind, by }) => [kind, by]);
  };
  const seen: [AlertEventKind, string][] = [[silenced, "Olga Tester"]];
  await change({ name: "It has begun now" });
  await ends.run();
  expect(await notes()).toEqual(seen);
  await change({ reason: "Nothing else is changed" });
  expect(await notes()).toEqual(seen);
  await change({ deviceIds: [other.deviceId] });
  seen.push([resumed, "Olga Tester"]);
  expect(await notes()).toEqual(seen);
  await change({ deviceIds: [device.deviceId, other.deviceId] });
  seen.push([silenced, "Olga Tester"]);
  expect(await notes()).toEqual(seen);
  await change(later);
  expect((await notes()).at(-1)).toEqual([resumed, "Olga Tester"]);
});
