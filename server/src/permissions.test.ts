import { createECDH } from "node:crypto";
import { allCalls } from "@telltale/contract/all-calls";
import type { Call } from "@telltale/contract/call/call";
import { CallError } from "@telltale/contract/call/client";
import { Code, Message } from "@telltale/contract/call/codes";
import { TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { GateType } from "@telltale/contract/domains/alerting/gate";
import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { SilenceKind } from "@telltale/contract/domains/alerting/silences";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { signIns } from "@telltale/contract/domains/people/sign-ins";
import { isAllowed, permissions, Role, roleNames } from "@telltale/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "./modules/accounts/sign-in/sign-in.ts";
import {
  aDeviceManager,
  anAdmin,
  anInstaller,
  anOwner,
  aSupportView,
  aViewer,
  type Person,
} from "./test/test-people.ts";
import { aPlantWithEverything, type EverythingOfAPlant } from "./test/test-plants.ts";
import { startTestServer, type TestServer } from "./test/test-server.ts";

let server: TestServer;
let plant: EverythingOfAPlant;
let stranger: Person;

beforeAll(async () => {
  server = await startTestServer();
  plant = await aPlantWithEverything(server.world);
  stranger = await anOwner(server.world);
});
afterAll(() => server.close());

/** Every call of the contract, by `domain.name`. */
const calls: [string, Call][] = Object.entries(allCalls).flatMap(([domain, ofDomain]) =>
  Object.entries(ofDomain as Record<string, Call>).map(([name, call]): [string, Call] => [`${domain}.${name}`, call]),
);
const guarded = calls.filter(([, call]) => call.access !== "public");

/** The code and sentence that a call is answered with. */
const answerTo = async (call: Call, person?: Person, input: Record<string, unknown> = {}) =>
  server
    .as(person)(call, input)
    .then(
      () => ({ code: Code.success as number, message: "" }),
      (fault: unknown) => {
        if (fault instanceof CallError) return { code: fault.code, message: fault.message };
        throw fault;
      },
    );

const members: Record<Role, (owner: Person) => Promise<Person>> = {
  [Role.owner]: async (owner) => ({ ...owner, ...(await freshSignIn(owner)) }),
  [Role.admin]: (owner) => anAdmin(server.world, owner),
  [Role.deviceManager]: (owner) => aDeviceManager(server.world, owner),
  [Role.installer]: (owner) => anInstaller(server.world, owner),
  [Role.viewer]: (owner) => aViewer(server.world, owner),
};

/** A new token for every try, because some calls end their session. */
const freshSignIn = async (person: Person): Promise<Person> => {
  const visitor = { address: "192.0.2.1", userAgent: "test" };
  const { userId, accountId } = person;
  return { ...person, ...(await signIn(server.world.db, server.world.clock.date(), visitor, { userId, accountId })) };
};

const roles = Object.values(Role);
const mayCall = ({ access }: Call, roleType: Role, isAdmin: boolean): boolean =>
  access === "public" || access === "session" || access === "member" || isAllowed(access, { roleType, isAdmin });
const refusals: number[] = [Code.notSignedIn, Code.notAllowed, Code.internal];

describe("without a token", () => {
  test.each(guarded)("%s is 401", async (_name, call) => {
    expect(await answerTo(call)).toEqual({ code: Code.notSignedIn, message: Message.loginAgain });
  });
});

describe.each(roles.map((role) => [roleNames[role], role] as const))("a %s", (_name, role) => {
  test.each(guarded)("and %s", async (_call, call) => {
    const { code, message } = await answerTo(call, await members[role](plant.owner));
    if (mayCall(call, role, false)) expect(refusals).not.toContain(code);
    else expect({ code, message }).toEqual({ code: Code.notAllowed, message: Message.notAllowed });
  });
});

describe("a support view of the owner", () => {
  test.each(guarded)("and %s", async (_call, call) => {
    const { code, message } = await answerTo(call, await aSupportView(server.world, plant.owner));
    if (mayCall(call, Role.owner, true)) expect(refusals).not.toContain(code);
    else expect({ code, message }).toEqual({ code: Code.notAllowed, message: Message.readOnly });
  });

  test("may do nothing that writes", () => {
    const writing = Object.entries(permissions).filter(([, grant]) => grant.kind === "write");
    expect(writing.length).toBeGreaterThan(0);
    for (const [name] of writing) {
      expect(isAllowed(name as keyof typeof permissions, { roleType: Role.owner, isAdmin: true })).toBe(false);
    }
  });
});

/** Fields that refer to a row of a plant; add new ones to `aPlantWithEverything`. */
const idFields = (call: Call): string[] =>
  Object.keys({ ...call.query?.shape, ...call.body?.shape }).filter(
    (field) => /Ids?$/.test(field) && !notIds.has(field),
  );
/** Fields that end in Id but refer to no row of a plant: printed on the unit, a time zone, a quantity, public, the payment provider's, an end of a range, a client's. */
const notIds = new Set(["deviceSnId", "timeZoneId", "channelAnalogId", "packageId", "payerId", "untilId", "clientId"]);

const samples: Record<string, unknown> = {
  deviceName: "Pump",
  months: 12,
  displayType: 1,
  channelName: "CURRENT",
  type: 0,
  packageId: 1,
  storageSpace: 1,
  year: 1,
  payerId: "nobody",
  alias: "Main plant",
  versionNo: "2.5.0",
  versionType: 2,
};
const sampleOf = (call: Call): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys({ ...call.query?.shape, ...call.body?.shape }).flatMap((field) =>
      field in samples ? [[field, samples[field]]] : [],
    ),
  );

/** A session of the owner, new for every try: some calls end all others. */
const aSignIn = async (): Promise<number | undefined> => {
  const rows = await server.as(await freshSignIn(plant.owner))(signIns.list);
  return rows.find(({ isCurrent }) => isCurrent)?.signInId;
};

/** The id for a call's field: usually the plant's only row of the kind. */
const idFor = async (name: string, field: string): Promise<unknown> => {
  if (field === "signInId") return aSignIn();
  if (field === "alarmId") return plant.freshAlarm();
  if (field === "silenceId") return plant.freshSilence();
  if (field === "planId") return plant.freshPlan();
  if (field === "rosterId") return plant.freshRoster();
  if (field === "swapId") return plant.freshSwap();
  if (field === "webhookId") return plant.freshWebhook();
  if (field === "bridgeId") return plant.freshBridge();
  if (field === "pushId") return plant.freshPush();
  if (field === "apiKeyId") return plant.freshApiKey();
  if (field === "alarmIds") return [await plant.freshAlarm()];
  if (name.startsWith("users.") && field === "accountId") return plant.member.accountId;
  const isOfMotor = name === "channels.ofModbusDevice" || name === "dashboards.editGroup" || name.startsWith("modbus.");
  return isOfMotor && field === "deviceId" ? plant.motor.deviceId : plant.ids[field];
};

/** A valid custom alarm of the plant. */
const anAlarm = () => {
  const { deviceId, channelId: deviceChannelId, notifyUserIds } = plant.ids;
  const limit = { alarmClass: AlertClass.custom, type: AlertType.high, alarmValue: 50, alarmHysteresis: 1 };
  const gate = { gateType: GateType.above, gateValue: 1 };
  return { alarmName: "Flow", deviceId, deviceChannelId, ...limit, ...gate, notifyUserIds };
};

const aWindow = () => ({
  ...{ kind: SilenceKind.maintenance, name: "Service", reason: "Cleaning", deviceIds: [plant.ids.deviceId] },
  ...{ repeat: WindowRepeat.daily, from: "08:00", to: "09:00" },
});

/** A valid escalation plan. */
const aPlanToAdd = {
  ...{ planName: "Pump station", repeat: null, backToNormal: true, backToNormalBySms: false },
  steps: [{ after: 0, to: [{ kind: TargetKind.managers, id: 0 }] }],
};

const aBridgeInput = () => ({
  ...{ bridgeName: "IT", url: "mqtts://127.0.0.1:9", clientId: "telltale", format: 1, prefix: "plant", allDevices: 0 },
  ...{ deviceIds: plant.ids.deviceIds, sendsValues: 1, sendsAlerts: 1, enabled: 0 },
});

const aWebhookInput = {
  webhookName: "ntfy",
  format: 4,
  url: "https://ntfy.sh/a",
  enabled: 1,
  mayConfirm: 0,
  alarmIds: [],
};

/** A browser's, for pushes. */
const aPublicKey = createECDH("prime256v1").generateKeys("base64url");

/** Other required input of a call, by call. */
const companions = async (name: string): Promise<Record<string, unknown>> => {
  const { dashboardId, tileIds, deviceChannelIds, sourceChannelId, outputChannelId } = plant.ids;
  const known: Record<string, Record<string, unknown>> = {
    "users.add": { firstName: "Iris", lastName: "Berg", email: "iris@example.test", type: Role.viewer },
    "users.edit": { accountId: plant.member.accountId, type: Role.viewer },
    "dashboards.edit": { name: "Pumps", deviceChannelIds },
    "channelSettings.modify": { payload: [] },
    "channelSettings.modifyOutput": { channelKeys: {} },
    "contacts.update": { firstName: "Nora", lastName: "Quist", mayConfirm: 1 },
    "contacts.verify": { code: "000000" },
    "dashboards.order": { dashboardId, tileIds },
    "alarms.add": anAlarm(),
    "alarmTrial.try": { ...anAlarm(), days: 1 },
    "alarms.update": { ...anAlarm(), alarmId: plant.ids.alarmId },
    "silences.add": aWindow(),
    "silences.update": { ...aWindow(), silenceId: plant.ids.silenceId, minutes: 30 },
    "plans.add": aPlanToAdd,
    "plans.update": aPlanToAdd,
    "rosters.onCall": { from: new Date("2026-11-16T00:00Z"), to: new Date("2026-11-23T00:00Z") },
    "rewind.window": { from: new Date("2026-11-16T00:00Z"), to: new Date("2026-11-17T00:00Z") },
    "rosters.update": { rosterName: "Duty electrician", timeZoneId: "Europe/Budapest", shifts: [] },
    "rosters.swap": {
      ...{ accountId: plant.ids.accountId, rosterId: await plant.freshRoster() },
      ...{ from: server.world.clock.date(), to: new Date(server.world.clock.now() + 3_600_000) },
    },
    "bridges.add": aBridgeInput(),
    "bridges.update": { ...aBridgeInput(), bridgeId: plant.ids.bridgeId },
    "webhooks.add": aWebhookInput,
    "webhooks.update": { ...aWebhookInput, webhookId: plant.ids.webhookId },
    "provisioning.expect": { serial: "SN-1", deviceName: "Pump", model: 1 },
    "provisioning.add": { keyName: "Line 4", model: 1, deviceLimit: 300, expireTime: new Date("2099-01-01T00:00Z") },
    "labels.pdf": { sheet: 2 },
    "push.subscribe": { endpoint: "https://fcm.googleapis.com/a", p256dh: aPublicKey, auth: "A".repeat(22) },
    "downloads.readings": { startTime: new Date("2026-11-16T00:00Z"), endTime: new Date("2026-11-17T00:00Z") },
    "imports.begin": { fileName: "history.csv", digest: "cd".repeat(32) },
    "imports.store": {
      ...{ importId: plant.ids.importId, after: 0, position: 0, line: 0, unreadable: 0 },
      ...{ deviceChannelIds, counts: [1], times: [Date.UTC(2026, 0)], values: [1] },
    },
    "apiKeys.add": { keyName: "Reports", roleType: Role.viewer, readOnly: 1, days: 30 },
    "push.resume": { endpoint: "https://fcm.googleapis.com/a" },
    "alertEntries.note": { note: "Looked at" },
    "alertEntries.assign": { alarmLogId: plant.ids.alarmLogId },
    "dashboards.setStatus": { status: 1 },
    "joint.edit": { name: "Siren", sourceChannelId, alarmType: AlertType.high, outputChannelId, level: 1 },
    "joint.enable": { enabled: false },
    "keyboard.edit": { keys: "x z", target: "/devices" },
    "deviceConfiguration.addThirdParty": { deviceSn: "MPA2-240-32", address: 7 },
    "dashboards.editGroup": { groupName: "Currents", icon: 9, deviceId: plant.motor.deviceId, deviceChannelIds },
  };
  return known[name] ?? {};
};

describe("another plant's ids", () => {
  const tries = guarded.flatMap(([name, call]) => idFields(call).map((field) => [name, field, call] as const));

  test.each(tries)("are not found by %s %s, and the plant's own are", async (name, field, call) => {
    const id = await idFor(name, field);
    expect(id, `aPlantWithEverything has no ${field}`).toBeDefined();
    const free = await plant.freeUnit();
    const input = { ...sampleOf(call), ...(await companions(name)), deviceSnId: free.deviceSnId, [field]: id };
    const own = await answerTo(call, await freshSignIn(plant.owner), input);
    expect([Code.notFound, ...refusals]).not.toContain(own.code);
    const foreign = await answerTo(call, await freshSignIn(stranger), {
      ...input,
      deviceSnId: (await plant.freeUnit()).deviceSnId,
    });
    expect(foreign.code).toBe(Code.notFound);
  });

  test("that are gone are not found either", async () => {
    const gone = 2 ** 31 - 1;
    const single = tries.filter(([, field]) => /Id$/.test(field) && !["paymentId", "accountId"].includes(field));
    for (const [name, field, call] of single) {
      const input = { ...sampleOf(call), ...(await companions(name)), [field]: gone };
      const { code } = await answerTo(call, await freshSignIn(plant.owner), input);
      expect([Code.notFound, Code.conflict, Code.invalid], `${name} ${field} is answered ${code}`).toContain(code);
    }
  });

  test("change nothing there", async () => {
    const foreign = tries.map(async ([name, field, call]) => ({
      call,
      input: { ...sampleOf(call), ...(await companions(name)), [field]: await idFor(name, field) },
    }));
    const inputs = await Promise.all(foreign);
    const before = (await plant.snapshot()) as Record<string, unknown[]>;
    const known = Object.entries(before).filter(([, rows]) => rows.length > 0);
    expect(known.map(([table]) => table)).toEqual(
      expect.arrayContaining([
        "devices",
        "channels",
        "settings_periods",
        "dashboard_tiles",
        "orders",
        "alarms",
        "users",
      ]),
    );
    for (const { call, input } of inputs) await answerTo(call, await freshSignIn(stranger), input);
    expect(await plant.snapshot()).toEqual(before);
  });
});
