import { setTimeout as pause } from "node:timers/promises";
import { alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { LiveCommand } from "@telltale/contract/live";
import type { RunningServer } from "../../e2e/server-process.ts";
import { idsOf } from "../../e2e/unit.ts";
import { createFleet, until } from "../crowd/fleet.ts";
import { listen, liveAddress } from "../crowd/listener.ts";
import { ask, type Plant, password, withPlants } from "../crowd/plants.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";

const devices = 100;
/** How long the links flap, and how often each device is cut off, milliseconds. */
const flapping = 300_000;
const every = { least: 2_000, most: 6_000 };
const interval = 20_000;

/** Adds a contact that is mailed all events of these devices. */
const addEventContact = async (server: RunningServer, { client, devices: units }: Plant): Promise<void> => {
  const person = { type: 1, firstName: "Nora", lastName: "Quist", contactInfo: "nora.quist@example.test" } as const;
  const { notifyUserId } = await client(contacts.add, person);
  await ask(server, "UPDATE contacts SET status = 1 WHERE contact_id = $1", [notifyUserId]);
  for (const { deviceSnId } of units) {
    const { deviceId } = await idsOf(client, deviceSnId);
    const rule = { alarmName: "Link", alarmClass: AlertClass.notification, deviceId, notifyUserIds: [notifyUserId] };
    await client(alarms.add, rule as never);
  }
};

interface NotificationCounts {
  alerts: number;
  mails: number;
}

const notificationCounts = (server: RunningServer): Promise<NotificationCounts> =>
  ask<NotificationCounts>(
    server,
    "SELECT (SELECT count(*)::int FROM alerts) AS alerts, (SELECT count(*)::int FROM outbox WHERE subject NOT LIKE 'May %') AS mails",
  );

const run = (scale: number): Promise<Finding[]> =>
  withPlants({ plants: 1, devices: scaled(devices, scale) }, async (server, [plant]) => {
    if (!plant) throw new Error("There is no plant");
    await addEventContact(server, plant);
    await ask(server, "UPDATE devices SET offline_report = 1");
    const tokens = plant.devices.map(({ accessToken }) => accessToken);
    const fleet = createFleet({ port: server.mqttPort, tokens, interval });
    const heard = { values: 0, changes: 0 };
    const listener = await listen(await liveAddress(server, plant.email, password), (message) => {
      if (message.includes(`"${LiveCommand.value}"`)) heard.values += 1;
      else if (!message.includes(LiveCommand.heartbeat)) heard.changes += 1;
    });
    try {
      await fleet.connect();
      fleet.report();
      await until(() => fleet.unheardSince(0) === 0, 3 * interval);
      await pause(2_000);
      const [before, changes] = [await notificationCounts(server), heard.changes];
      let cuts = 0;
      const timers = fleet.devices.map((device) =>
        setInterval(
          () => {
            if (!device.isConnected) return;
            cuts += 1;
            device.cut();
          },
          every.least + Math.random() * (every.most - every.least),
        ),
      );
      await pause(Math.max(90_000, flapping * scale));
      for (const timer of timers) clearInterval(timer);
      const back = await until(() => fleet.counts.connected === tokens.length, 30_000);
      const after = await notificationCounts(server);
      return [
        {
          promise: "A flapping link raises no alert",
          counted: `${count(cuts, "lost connections")}, ${after.alerts - before.alerts} entries in the alert log`,
          isKept: cuts > 0 && after.alerts === before.alerts,
        },
        {
          promise: "No notification is sent to the devices' contacts",
          counted: `${before.mails} messages before, ${after.mails} after`,
          isKept: before.mails > 0 && after.mails === before.mails,
        },
        {
          promise: "Consoles do not refetch",
          counted: `${heard.changes - changes} change messages on the live socket, besides ${count(heard.values, "values")}`,
          isKept: heard.changes === changes,
        },
        {
          promise: "Every device reconnects, and every reading is eventually acknowledged",
          counted: `${fleet.counts.connected} of ${tokens.length}; ${count(fleet.counts.acknowledged, "readings")}`,
          isKept: back !== undefined,
        },
      ];
    } finally {
      listener.end();
      fleet.end();
    }
  });

/** Links that go down and up repeatedly. */
export const flappingLinks: Scenario = {
  title: "Flapping links",
  does: `100 devices, each with a contact that is mailed all its events, lose their connection every ${every.least / 1000} to ${every.most / 1000} s and reconnect half a second to five seconds later, for ${flapping / 60_000} minutes. Their offline reporting time is one minute, the minimum.`,
  run,
};
