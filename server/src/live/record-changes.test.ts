import type { Client } from "@telltale/contract/call/client";
import { plans, rosters, TargetKind } from "@telltale/contract/domains/alerting/escalation";
import { WindowRepeat } from "@telltale/contract/domains/alerting/maintenance";
import { SilenceKind, silences } from "@telltale/contract/domains/alerting/silences";
import { WebhookFormat, webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { Model } from "@telltale/contract/domains/devices";
import { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { personal } from "@telltale/contract/domains/people/personal";
import { users } from "@telltale/contract/domains/people/users";
import { bridges } from "@telltale/contract/domains/readings/bridges";
import { type ChangedRecord, changedRecords, LiveCommand, livePath } from "@telltale/contract/live";
import { ContactType, MessageKind } from "@telltale/contract/notification-channels";
import { Role } from "@telltale/contract/permissions";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { chargeSms } from "../modules/billing/sms-credit/ledger.ts";
import { withdrawFirmware } from "../operator/firmware.ts";
import { anAlert } from "../test/test-alerts.ts";
import { bridgeFields } from "../test/test-bridged-plant.ts";
import { aDevice } from "../test/test-devices.ts";
import { anImage } from "../test/test-firmware.ts";
import { aListener, type Listener } from "../test/test-listener.ts";
import { anAdmin, anOwner, aViewer, type Person } from "../test/test-people.ts";
import { startTestServer, type TestServer } from "../test/test-server.ts";

/** Two nodes on one database that cannot reach each other by NATS. */
let here: TestServer;
let there: TestServer;
const listeners: Listener[] = [];

beforeAll(async () => {
  here = await startTestServer({}, { sharing: "shared" });
  const database = { url: here.world.url, drop: async () => undefined };
  there = await startTestServer({}, { sharing: "shared", clock: here.world.clock, database });
  for (const { app } of [here, there]) await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.end();
});
afterAll(async () => {
  await there.close();
  await here.close();
});

/** An open console of this person at a node. */
const aConsole = async ({ app }: TestServer, { userId, accountId, token }: Person): Promise<Listener> => {
  const { port } = app.server.address() as { port: number };
  const listener = aListener(`ws://127.0.0.1:${port}${livePath(userId, accountId)}?token=${token}`);
  listeners.push(listener);
  await listener.opened;
  return listener;
};

const changed = (record: ChangedRecord) => ({ cmd: LiveCommand.recordChange, record });

let count = 0;
const aContactInput = () => ({
  ...{ type: ContactType.mail, firstName: "Nora", lastName: "Quist", contactInfo: `quist.${++count}@example.test` },
});

/** How each kind of records is changed. */
const changes: Record<ChangedRecord, (as: Client, owner: Person) => Promise<unknown>> = {
  apiKey: (as) => as(apiKeys.add, { keyName: "History", roleType: Role.owner, readOnly: 1, days: 30 }),
  bridge: (as) => as(bridges.add, { ...bridgeFields, url: "mqtts://broker.example.com", enabled: 0 }),
  contact: (as) => as(contacts.add, aContactInput()),
  firmwareImage: async () => {
    const image = { model: "MIX-420-10", version: `9.${++count}.0` };
    await anImage(here.world, image);
    await withdrawFirmware(here.world, { ...image, by: "Olaf" });
  },
  maintenance: async (as, owner) => {
    const { deviceId } = await aDevice(here.world, owner);
    const times = { from: "08:00", to: "09:00", timeZoneId: "UTC", repeat: WindowRepeat.daily };
    const window = { kind: SilenceKind.maintenance, name: "Belts", reason: "Belts", deviceIds: [deviceId], ...times };
    await as(silences.add, window);
  },
  plan: (as) =>
    as(plans.add, {
      ...{ planName: "Pump station", repeat: null, backToNormal: true, backToNormalBySms: false },
      steps: [{ after: 0, to: [{ kind: TargetKind.managers, id: 0 }] }],
    }),
  provisioningKey: (as) =>
    as(provisioning.add, {
      ...{ keyName: "Line 4", model: Model.analog, deviceLimit: 3, expireTime: new Date("2099-01-01T00:00Z") },
    }),
  roster: (as) => as(rosters.add, { rosterName: "Duty electrician", timeZoneId: "UTC", shifts: [] }),
  silence: async (as, owner) => {
    const { deviceId, channels } = await aDevice(here.world, owner);
    const alarmLogId = await anAlert(here.world, owner, { deviceId, channelId: Number(channels.AI1) });
    await as(silences.add, { alarmLogId, kind: SilenceKind.shelf, minutes: 30, reason: "Strainer being cleaned" });
  },
  smsCredit: (_as, { plantId }) =>
    here.world.db.transaction().execute(async (trx) => {
      const now = here.world.clock.date();
      const sms = { plant_id: plantId, kind: MessageKind.sms, recipient: "12025550199", body: "{}" };
      const row = trx.insertInto("outbox").values({ ...sms, next_time: now, created_time: now });
      const { message_id: messageId } = await row.returning("message_id").executeTakeFirstOrThrow();
      await chargeSms(trx, { plantId, messageId, now });
    }),
  user: (as) =>
    as(users.add, { firstName: "Iris", lastName: "Berg", email: `iris.${++count}@example.test`, type: Role.viewer }),
  watchlist: async (as, owner) => {
    const { channels } = await aDevice(here.world, owner);
    await as(personal.add, { deviceChannelIds: [Number(channels.AI1)] });
  },
  webhook: (as) =>
    as(webhooks.add, {
      ...{ webhookName: "ntfy", format: WebhookFormat.ntfy, url: "https://ntfy.sh/a", enabled: 0, mayConfirm: 0 },
      alarmIds: [],
    }),
};

test.each(changedRecords)("consoles at every node hear of a change of this kind: %s", async (record) => {
  const owner = await anOwner(here.world);
  const consoles = [await aConsole(here, owner), await aConsole(there, owner)];
  await changes[record](here.as(owner), owner);
  for (const each of consoles) expect(await each.next()).toEqual(changed(record));
});

test("a watchlist's change is heard by the consoles of its user alone", async () => {
  const owner = await anOwner(here.world);
  const [admin, own] = [await aConsole(there, await anAdmin(here.world, owner)), await aConsole(there, owner)];
  await changes.watchlist(here.as(owner), owner);
  await changes.contact(here.as(owner), owner);
  expect([await own.next(), await own.next()]).toEqual([changed("watchlist"), changed("contact")]);
  expect(await admin.next()).toEqual(changed("contact"));
});

test("a viewer, who sees what of its devices is silenced, hears of silences", async () => {
  const owner = await anOwner(here.world);
  const viewer = await aConsole(there, await aViewer(here.world, owner));
  await changes.silence(here.as(owner), owner);
  expect(await viewer.next()).toEqual(changed("silence"));
});

test("neither a viewer, who may not see such records, nor another plant hears of them", async () => {
  const [owner, stranger] = [await anOwner(here.world), await anOwner(here.world)];
  const viewer = await aViewer(here.world, owner);
  const consoles = [await aConsole(here, viewer), await aConsole(here, stranger)];
  await changes.contact(here.as(owner), owner);
  here.world.bus.emitHere("live", { plantId: owner.plantId, message: { cmd: LiveCommand.dashboardChange } });
  await changes.contact(here.as(stranger), stranger);
  const [ofViewer, ofStranger] = await Promise.all(consoles.map((each) => each.next()));
  expect([ofViewer, ofStranger]).toEqual([{ cmd: LiveCommand.dashboardChange }, changed("contact")]);
});
