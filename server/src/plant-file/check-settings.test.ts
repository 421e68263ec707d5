import type { Client } from "@telltale/contract/call/client";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { Role } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aDevice } from "../test/test-devices.ts";
import { anOwner, type Person } from "../test/test-people.ts";
import { apply, exported, keyOf, planOf } from "../test/test-plant-file.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let owner: Person;
let client: Client;
beforeAll(async () => {
  server = await startTestServer();
  owner = await anOwner(server.world);
  client = await keyOf(server, owner);
  await aDevice(server.world, owner, { name: "Pump", deviceSnId: "7C9E00000001" });
});
afterAll(() => server.close());

const present = (fields: string) => `devices:\n  Pump:\n    id: 7C9E00000001\n    ${fields}\n`;
const expectedMix = (fields: string) => `devices:\n  Press 4:\n    serial: SN-4\n    model: MIX\n    ${fields}\n`;
const settings = (code: string, said: string) => `channels: { ${code}: { settings: { ${said} } } }`;

describe("what the server would refuse of a channel's settings is told with line and path, and nothing is changed", () => {
  test.each([
    ["a text for a number", present(settings("AI1", "Higher Alarm: high")), "Higher Alarm: it is a number, or null"],
    [
      "a value out of its list",
      present(settings("AI1", "Input Sensor type: 99")),
      /^plant\.yaml:4: devices \/ Pump \/ channels \/ AI1 \/ settings \/ Input Sensor type: it is one of .*4 \(4-20MA\)/,
    ],
    [
      "a setting of another type of channel",
      present(settings("AI1", "Counting Edge: 1")),
      "AI1 / settings / Counting Edge: AI has no such setting; it has Input Sensor type, Value form",
    ],
    [
      "a setting of another type of channel, of a device that is not there yet",
      expectedMix(settings("DO2", "ZERO: 0")),
      "channels / DO2 / settings / ZERO: DO has no such setting; it has Mode",
    ],
    [
      "an alarm beyond the range",
      present(settings("AI1", "Higher Alarm: 900")),
      "AI1 / settings / Higher Alarm: Higher Alarm minus its Hysteresis must lie between ZERO and SPAN",
    ],
    [
      "a range below an alarm that stays",
      present(settings("AI1", "SPAN: 20")),
      "channels / AI1: Higher Alarm: Higher Alarm minus",
    ],
    [
      "a delay of an alarm that is not set",
      present(settings("AI3", "Lower Alarm Delay: 5")),
      "AI3 / settings / Lower Alarm Delay: it means nothing with the channel's other settings",
    ],
    ["a range without its end", present(settings("AI3", "SPAN: null")), "AI3 / settings / SPAN: Cannot be blank"],
    ["an impossible time", present("offlineAfter: -1"), "Pump / offlineAfter: it is a whole number from 1 to 1440"],
  ])("%s", async (_what, text, fault) => {
    const before = await exported(client);
    await expect(planOf(client, text)).rejects.toThrow(fault);
    await expect(apply(client, text)).rejects.toThrow(fault);
    expect(await exported(client)).toBe(before);
  });
});

describe("what the server would refuse of people and alerts is told with line and path, and nothing is changed", () => {
  const rule = "Well: { channel: AI1, type: high, value: 7, hysteresis: 1, notify: [a@example.test] }";
  const contact = "contacts: { a@example.test: { firstName: A, lastName: B } }\n";
  const person = "{ firstName: A, lastName: B }";
  test.each([
    [
      "an address of no kind",
      `contacts: { nomail: ${person} }`,
      /^plant\.yaml:1: contacts \/ nomail: Enter the correct/,
    ],
    [
      "an address twice, in capitals",
      `contacts: { a@example.test: ${person}, A@example.test: ${person} }`,
      "contacts / A@example.test: it is a@example.test already",
    ],
    [
      "a dashboard of somebody who is no viewer",
      "users: { a@example.test: { firstName: A, lastName: B, role: admin, dashboard: All } }",
      "users / a@example.test / dashboard: only a viewer has one of its own",
    ],
    [
      "a negative hysteresis",
      present(`alerts: { ${rule.replace("hysteresis: 1", "hysteresis: -1")} }`),
      "cannot be negative",
    ],
    [
      "a time zone that is nowhere",
      "rosters: { Duty: { timeZone: Mars/X, shifts: [] } }",
      "rosters / Duty / timeZone: there is no such time zone",
    ],
    ["a name of two lines", 'devices: { Pump: { id: 7C9E00000001, name: "a\\nb" } }', "devices / Pump / name: "],
  ])("%s", async (_what, text, fault) => {
    await expect(planOf(client, text)).rejects.toThrow(fault);
  });

  test("another class of an alert that is there", async () => {
    await apply(client, `${contact}${present(`alerts: { ${rule} }`)}`);
    const other = present("alerts: { Well: { class: threshold, priority: P3 } }");
    await expect(planOf(client, other)).rejects.toThrow("alerts / Well / class: an alert keeps its class");
  });

  test("the owner among the users", async () => {
    const text = `users: { ${owner.email}: { firstName: A, lastName: B, role: admin } }`;
    await expect(planOf(client, text)).rejects.toThrow("it is the plant's owner");
  });
});

test("settings that are right only together are taken together, whatever the device's interval becomes", async () => {
  const text = present(
    `reportEvery: 900\n    ${settings("AI1", "SPAN: 20, Higher Alarm: 15, Higher Alarm Hysteresis: 1, STATIC DATA: 900")}`,
  );
  expect(await apply(client, text)).toMatchObject({ changed: 1, refused: [] });
  expect(await planOf(client, text)).toEqual([]);
});

test("a key that only reads is told so at once, without a try for every entry", async () => {
  const wanted = { keyName: "Look", roleType: Role.owner, readOnly: 1, days: 30 } as const;
  const { apiKey } = await server.as(owner)(apiKeys.add, wanted);
  await expect(apply(server.byKey(apiKey), present("name: Pump 2"))).rejects.toThrow("This key only reads");
});

test("a file that is a list is told so without an empty path", async () => {
  await expect(planOf(client, "- Pump\n- Motor\n")).rejects.toThrow(/^plant\.yaml:1: [^:]/);
});
