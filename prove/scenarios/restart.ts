import { setTimeout as pause } from "node:timers/promises";
import type { RunningServer } from "../../e2e/server-process.ts";
import { createFleet, type Fleet, until } from "../crowd/fleet.ts";
import { ask, withPlants } from "../crowd/plants.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";

const devices = 10_000;
/** Milliseconds between two readings of a device. */
const interval = 50_000;
/** Timeout within which all devices must be back, milliseconds. */
const patience = 60_000;
/** The offline reporting time of every device, minutes: the minimum. */
const offlineReport = 1;
/** The server's downtime, longer than that, milliseconds. */
const away = 65_000;

const offlineAlerts = async (server: RunningServer): Promise<number> => {
  const { offline } = await ask<{ offline: number }>(
    server,
    "SELECT count(*)::int AS offline FROM alerts WHERE msg LIKE 'Offline%'",
  );
  return offline;
};

const seconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "not within the time limit" : `after ${(milliseconds / 1000).toFixed(1)} s`;

/** Waits until all devices are reconnected and acknowledged after the server came up at `up`. */
const untilAllBack = async (fleet: Fleet, what: string): Promise<Finding[]> => {
  const up = performance.now();
  const all = fleet.devices.length;
  const [connected, heard] = await Promise.all([
    until(() => fleet.counts.connected === all, patience),
    until(() => fleet.unheardSince(up) === 0, patience),
  ]);
  return [
    {
      promise: `${what}: every device reconnects within 60 s`,
      counted: `${count(fleet.counts.connected, `of ${all} devices`)}, the last ${seconds(connected)}`,
      isKept: connected !== undefined,
    },
    {
      promise: `${what}: a reading of every device is acknowledged within 60 s`,
      counted: `${count(all - fleet.unheardSince(up), `of ${all} devices`)}, the last ${seconds(heard)}`,
      isKept: heard !== undefined,
    },
  ];
};

/** Verifies that no device was reported offline, although all were silent for longer than their offline reporting time. */
const noneReportedOffline = async (server: RunningServer, what: string): Promise<Finding> => {
  // Longer than the offline reporting time, so that all offline notifications of the gap would have been raised.
  await pause(offlineReport * 60_000 + 10_000);
  const offline = await offlineAlerts(server);
  return {
    promise: `${what}: no device is reported offline`,
    counted: count(offline, "offline alerts"),
    isKept: offline === 0,
  };
};

const run = (scale: number): Promise<Finding[]> =>
  withPlants({ plants: 1, devices: scaled(devices, scale) }, async (server, [plant]) => {
    await ask(server, "UPDATE devices SET offline_report = $1", [offlineReport]);
    const fleet = createFleet({
      port: server.mqttPort,
      tokens: plant?.devices.map(({ accessToken }) => accessToken) ?? [],
      interval,
    });
    try {
      await fleet.connect();
      fleet.report();
      await until(() => fleet.unheardSince(0) === 0, 2 * interval);
      await server.kill9();
      await pause(away);
      await server.restart();
      const killed = [...(await untilAllBack(fleet, "kill -9")), await noneReportedOffline(server, "kill -9")];
      process.kill(server.pid(), "SIGSTOP");
      await pause(away);
      process.kill(server.pid(), "SIGCONT");
      const stopped = [...(await untilAllBack(fleet, "SIGSTOP")), await noneReportedOffline(server, "SIGSTOP")];
      return [...killed, ...stopped];
    } finally {
      fleet.end();
    }
  });

/** A server that was down must not report devices as offline for that time. */
export const restart: Scenario = {
  title: "Outage of a server with 10,000 devices",
  does: `10,000 devices are connected by MQTT and send a reading every ${interval / 1000} s; a device is offline after one minute of silence, the minimum. The server is killed (kill -9), stays down for ${away / 1000} s and is restarted; later it is suspended for ${away / 1000} s (SIGSTOP) and resumed. Devices reconnect half a second to five seconds after a connection loss.`,
  run,
};
