import type { Client } from "@telltale/contract/call/client";
import { alarms } from "@telltale/contract/domains/alarms";
import { plans, rosters, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { WebhookFormat, webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { AlertClass, AlertPriority, AlertType } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { DeviceType, Model } from "@telltale/contract/domains/devices";
import { JointEnding, joint, OutputLevel } from "@telltale/contract/domains/joint";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { Role } from "@telltale/contract/permissions";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { aDevice, anUnclaimedDevice } from "../test/test-devices.ts";
import { anOwner } from "../test/test-people.ts";
import { apply, exported, keyOf, planOf } from "../test/test-plant-file.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

let server: TestServer;
let other: TestServer;

beforeAll(async () => {
  [server, other] = await Promise.all([startTestServer(), startTestServer()]);
});
afterAll(() => Promise.all([server.close(), other.close()]));
afterEach(() => vi.unstubAllEnvs());

const ids = { pump: "7C9E00000011", relays: "7C9E00000012" };
const relays = { model: Model.digitalOutput, deviceType: DeviceType.main, deviceSnId: ids.relays };
const address = "https://hooks.example.test/services/T00/B00/abc";

/** A plant whose escalation plan names everything that can be notified, made by the calls of the console. */
const aPlant = async (at: TestServer): Promise<Client> => {
  const owner = await anOwner(at.world);
  const client = await keyOf(at, owner);
  const pump = await aDevice(at.world, owner, { name: "Pump", deviceSnId: ids.pump });
  const outputs = await aDevice(at.world, owner, { ...relays, name: "Relays" });
  const { AI1 = 0, AI2 = 0 } = pump.channels;
  const { DO1 = 0, DO2 = 0 } = outputs.channels;
  const { notifyUserId } = await client(contacts.add, {
    ...{ type: 1, firstName: "Nora", lastName: "Quist", contactInfo: "nora@example.test" },
  });
  const { rosterId } = await client(rosters.add, {
    ...{ rosterName: "Duty", timeZoneId: "Europe/Berlin" },
    shifts: [{ days: [1, 2, 5], from: 1320, to: 360, accountId: owner.accountId }],
  });
  const { webhookId } = await client(webhooks.add, {
    ...{ webhookName: "Chat of the shift", format: WebhookFormat.slack, url: address },
    ...{ enabled: 1, mayConfirm: 0, alarmIds: [] },
  });
  const { planId } = await client(plans.add, {
    ...{ planName: "Night", repeat: { every: 15, times: 3 }, backToNormal: false, backToNormalBySms: false },
    steps: [
      { after: 0, to: [{ kind: TargetKind.roster, id: rosterId }] },
      {
        after: 10,
        to: [
          { kind: TargetKind.contact, id: notifyUserId },
          { kind: TargetKind.webhook, id: webhookId },
        ],
      },
      {
        after: 30,
        to: [
          { kind: TargetKind.managers, id: 0 },
          { kind: TargetKind.account, id: owner.accountId },
        ],
      },
    ],
  });
  await client(plans.makeDefault, { planId });
  const { alarmId } = await client(alarms.add, {
    ...{ alarmName: "Well high", alarmClass: AlertClass.custom, deviceId: pump.deviceId, deviceChannelId: AI2 },
    ...{ type: AlertType.high, alarmValue: 7, alarmHysteresis: 0.5, notifyUserIds: [notifyUserId], planId },
  });
  await client(alarms.add, {
    ...{ alarmName: "Limits", alarmClass: AlertClass.threshold, deviceId: pump.deviceId, priority: AlertPriority.high },
    ...{ notifyUserIds: [notifyUserId], response: "Look at the gauge" },
  });
  await client(alarms.add, {
    alarmName: "News",
    alarmClass: AlertClass.notification,
    deviceId: pump.deviceId,
    enabled: 0,
  });
  const [row] = (await client(webhooks.list, {})).data;
  if (!row) throw new Error("The webhook is missing");
  const { createdTime: _, acceptedTime: __, failingSince: ___, fault: ____, enabled: _____, mayConfirm, ...kept } = row;
  await client(webhooks.update, { ...kept, enabled: 1, mayConfirm: mayConfirm ? 1 : 0, alarmIds: [alarmId] });
  await client(joint.edit, {
    ...{ name: "Siren", sourceChannelId: AI1, alarmType: AlertType.high, outputChannelId: DO1 },
    ...{ level: OutputLevel.on, ending: JointEnding.back, enabled: true },
  });
  await client(joint.edit, {
    ...{
      name: "Valve",
      alarmId,
      outputChannelId: DO2,
      level: OutputLevel.off,
      ending: JointEnding.stay,
      enabled: false,
    },
  });
  await client(silences.add, {
    ...{
      kind: SilenceKind.maintenance,
      name: "Service",
      reason: "Filters",
      deviceIds: [pump.deviceId, outputs.deviceId],
    },
    ...{ repeat: WindowRepeat.monthly, weekday: 5, nth: 5, from: "12:00", to: "18:00", timeZoneId: "Europe/Berlin" },
  });
  await client(silences.add, {
    ...{ kind: SilenceKind.maintenance, name: "Move", reason: "Once", deviceIds: [pump.deviceId] },
    ...{ repeat: WindowRepeat.once, date: "2099-01-01", from: "12:00", to: "18:00" },
  });
  return client;
};

describe("a plant file says who is notified and what is driven", () => {
  let client: Client;
  let text: string;
  beforeAll(async () => {
    client = await aPlant(server);
    text = await exported(client);
  });

  test("by names: plans, rosters, webhooks, joint controls, alerts of every class and windows that repeat", () => {
    for (const part of [
      "- roster: Duty",
      "- webhook: Chat of the shift",
      "- user: owner",
      "plan: Night",
      "class: threshold",
      "class: notification",
      "alert: Pump/Well high",
      "limit: high",
      "output: Relays/DO1",
      "nth: last",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("Move");
  });

  test("and no address of a webhook, which is a secret of the other system", async () => {
    expect(text).toContain("env: WEBHOOK_CHAT_OF_THE_SHIFT");
    expect(text).not.toContain("hooks.example.test");
    expect(text).not.toContain("whsec_");
    vi.stubEnv("WEBHOOK_CHAT_OF_THE_SHIFT", "https://hooks.example.test/services/new");
    expect(await planOf(client, text)).toEqual([
      "~ webhooks / Chat of the shift / url: https://hooks.example.test/… -> https://hooks.example.test/… (another one)",
    ]);
  });

  test("and changes nothing where it was exported", async () => {
    expect(await planOf(client, text)).toEqual([]);
    expect(await apply(client, text)).toEqual({ changed: 0, partly: 0, refused: [] });
  });

  test("and makes an empty plant equal, once the environment has the webhook's address; its secret is told this once", async () => {
    const owner = await anOwner(other.world);
    await anUnclaimedDevice(other.world, { deviceSnId: ids.pump });
    await anUnclaimedDevice(other.world, relays);
    const empty = await keyOf(other, owner);
    await expect(apply(empty, text)).rejects.toThrow(
      /webhooks \/ Chat of the shift: it is new: set the environment variable WEBHOOK_CHAT_OF_THE_SHIFT to its address/,
    );
    expect(await empty(contacts.list, {})).toMatchObject({ data: [] });
    vi.stubEnv("WEBHOOK_CHAT_OF_THE_SHIFT", address);
    const secrets: string[] = [];
    const applied = await apply(empty, text, (webhook, secret) => secrets.push(`${webhook}: ${secret}`));
    expect(applied.refused).toEqual([]);
    expect(secrets).toEqual([expect.stringMatching(/^Chat of the shift: whsec_/)]);
    expect(await exported(empty)).toBe(text);
    expect(await apply(empty, text)).toEqual({ changed: 0, partly: 0, refused: [] });
    const { data } = await empty(audit.list, { size: 200 });
    expect(data.map(({ action }) => action)).toEqual(expect.arrayContaining(["plan.add", "roster.add", "joint.add"]));
  });

  test("and an admin's key is told before anything changes that limits are the owner's", async () => {
    const owner = await anOwner(server.world);
    await aDevice(server.world, owner, { name: "Fan", deviceSnId: "7C9E00000013" });
    const admin = await keyOf(server, owner, Role.admin);
    const file = (fields: string) =>
      `contacts: { a@b.example: { firstName: A, lastName: B } }\ndevices: { Fan: { id: 7C9E00000013, ${fields} } }`;
    await expect(apply(admin, file("alerts: { Limits: { class: threshold } }"))).rejects.toThrow(
      "plant.yaml:2: devices / Fan / alerts / Limits: limits and notifications are the owner's to configure",
    );
    expect(await admin(contacts.list, {})).toMatchObject({ data: [] });
    expect(await apply(admin, file("offlineAfter: 45"))).toMatchObject({ changed: 2, refused: [] });
  });

  test("and replaces the default plan that the server has made for a new plant", async () => {
    const client = await keyOf(server, await anOwner(server.world));
    const file = "plans: { Night: { default: true, steps: [{ after: 5, notify: [managers] }] } }";
    expect(await apply(client, file)).toEqual({ changed: 1, partly: 0, refused: [] });
    expect(await client(plans.list, {})).toMatchObject([{ planName: "Night", isDefault: true }]);
    expect(await apply(client, file)).toEqual({ changed: 0, partly: 0, refused: [] });
  });

  test("and changes one value of each", async () => {
    const changes: [from: string, to: string, line: string][] = [
      ["every: 15", "every: 20", "~ plans / Night / repeat / every: 15 -> 20"],
      ["from: 22:00", "from: 21:30", ""],
      ["mayConfirm: false", "mayConfirm: true", ""],
      [
        "response: Look at the gauge",
        "response: Look twice",
        "~ devices / Pump / alerts / Limits / response: Look at the gauge -> Look twice",
      ],
      ["afterwards: back", "afterwards: stay", "~ jointControls / Siren / afterwards: back -> stay"],
      ["reason: Filters", "reason: Belts", "~ maintenance / Service / reason: Filters -> Belts"],
    ];
    const wanted = changes.reduce((file, [from, to]) => file.replace(from, to), text);
    expect(await planOf(client, wanted)).toEqual(expect.arrayContaining(changes.flatMap(([, , line]) => line || [])));
    expect((await apply(client, wanted)).refused).toEqual([]);
    expect(await exported(client)).toBe(wanted);
    expect((await apply(client, text)).refused).toEqual([]);
  });

  test.each([
    [
      "plans: { Night: { default: false, steps: [{ after: 0, notify: [managers] }] } }",
      "make another one the default instead",
    ],
    ["plans: { A: { steps: [{ after: 0, notify: [{ roster: Nobody }] }] } }", "there is no roster Nobody"],
    ["plans: { A: { steps: [{ after: 0, notify: [{ webhook: Nobody }] }] } }", "there is no webhook Nobody"],
    ["plans: { A: { steps: [{ after: 0, notify: [everybody] }] } }", "it is managers, { user: … }, { contact: … }"],
    [
      "rosters: { A: { timeZone: UTC, shifts: [{ days: [Mon], from: 08:00, to: 24:00, who: x@y.de }] } }",
      "plant.yaml:1: rosters / A / shifts / 0 / who: there is no user x@y.de",
    ],
    ["jointControls: { A: { when: { alert: Pump/No }, output: Relays/DO1, level: on } }", "there is no alert Pump/No"],
    [
      "jointControls: { A: { when: { alert: Pump/Well high }, output: Relays/DO9, level: on } }",
      "there is no channel Relays/DO9",
    ],
    ["webhooks: { A: { alerts: [] } }", "plant.yaml:1: webhooks / A: it is new: its url is missing"],
    [
      "maintenance: { A: { devices: [No], repeat: daily, from: 08:00, to: 09:00, timeZone: UTC, reason: x } }",
      "there is no device No",
    ],
    [
      "maintenance: { A: { devices: [], repeat: daily, from: 08:00, to: 09:00, timeZone: UTC, reason: x } }",
      "plant.yaml:1: maintenance / A / devices: Choose at least one device",
    ],
    [
      "maintenance: { A: { devices: [Pump], repeat: weekly, from: 08:00, to: 08:00, timeZone: UTC, reason: x } }",
      "maintenance / A / weekday: Choose a day of the week",
    ],
    [
      "maintenance: { Service: { devices: [Pump], repeat: daily, from: 08:00, to: 08:00, timeZone: UTC, reason: x } }",
      "maintenance / Service / to: It ends 15 minutes after it begins at the earliest",
    ],
    [
      "jointControls: { A: { when: { alert: Pump/Well high }, output: Pump/AI1, level: on } }",
      "plant.yaml:1: jointControls / A / output: Pump/AI1 is no digital output",
    ],
    [
      `devices: { Pump: { id: ${ids.pump}, alerts: { Dry: { channel: AI2, type: low, value: 1, notify: [] } } } }`,
      "devices / Pump / alerts / Dry / notify: a custom alert notifies at least one contact",
    ],
  ])("and %s is told before anything changes", async (file, fault) => {
    await expect(async () => apply(client, file)).rejects.toThrow(fault);
    expect(await exported(client)).toBe(text);
  });
});
