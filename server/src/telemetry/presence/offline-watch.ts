import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { LiveCommand } from "@telltale/contract/live";
import { counted } from "@telltale/contract/text/counted";
import { announce, followMasters, type RaisedAlert, raise, ruleKey, silenceSubDevices } from "../../alarms/index.ts";
import { notifyOffline } from "../../platform/bus/device-notices.ts";
import { inTransaction } from "../../platform/database/transaction.ts";
import { type LastSuccess, leastRecentOf, withJobMetrics } from "../../platform/jobs/with-job-metrics.ts";
import { serverCount, serverName, serverOf } from "../../readings/index.ts";
import type { World } from "../../world.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import type { Registry } from "../devices/registry.ts";
import type { Writer } from "../ingest/writer.ts";
import {
  type DisconnectedDevice,
  type HeardDevice,
  markOffline,
  type Silent,
  writeHeardTimes,
} from "./offline-queries.ts";
import { createSilence } from "./silence.ts";

export interface OfflineWatch {
  start(): void;
  stop(): Promise<void>;
  /** Writes last-seen times and marks silent devices offline; returns how many. */
  run(): Promise<number>;
  /** The link of these devices was reported lost (a Sparkplug death): they go offline unless they are heard again soon. */
  linkLost(devices: readonly KnownDevice[]): void;
}

const every = 5_000;

/** Grace period for a lost link, milliseconds: a flapping link must not raise an alert each time. */
const linkGrace = 10_000;
/** In a cluster longer: a node to which the device has connected within the grace period says so with its next check. */
const linkGraceOfNodes = linkGrace + every;

interface Needs extends Pick<World, "pool" | "bus" | "clock" | "log" | "metrics" | "node"> {
  registry: Registry;
  writer: Writer;
}

const offlineText = (minutes: number): string =>
  minutes === 0 ? "Offline: the link was lost" : `Offline for ${counted(minutes, "minute")}`;

/** Offline alerts of claimed devices that are not disabled. */
const offlineAlerts = (silent: readonly Silent[], now: number): RaisedAlert[] =>
  silent.flatMap(({ device_id: deviceId, plant_id: plantId, offline_report, is_disabled }) =>
    plantId === null || is_disabled
      ? []
      : [
          {
            plantId,
            deviceId,
            alarmClass: AlertClass.notification,
            alarmType: AlertType.system,
            msg: offlineText(offline_report),
            at: now,
            key: ruleKey.notification(deviceId, "offline"),
          },
        ],
  );

const announceOffline = ({ bus, registry, node }: Needs, silent: readonly Silent[]): void => {
  for (const { device_id: deviceId, plant_id: plantId } of silent) {
    const device = registry.inMemory({ deviceId });
    if (device) Object.assign(device, { isOnline: false, isStale: true });
    // The nodes of a cluster, this one too, hear of it by its notice.
    if (plantId === null || node.isOfCluster) continue;
    announce(bus, [{ plantId, deviceId }]);
    bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
  }
};

/** Whether a device's link was lost at this time or before, and it was not heard since. */
const isLostSince = ({ isOnline, linkLostAt }: KnownDevice, time: number): boolean =>
  isOnline && linkLostAt !== undefined && linkLostAt <= time;

interface CheckInputs {
  /** Number of the server that keeps the devices, and those of them that are in memory. */
  server: number;
  known: readonly KnownDevice[];
  now: number;
  since: number;
  isClockSet: boolean;
  heard: readonly HeardDevice[];
  disconnected: readonly DisconnectedDevice[];
}

/** Writes who was heard; marks silent and lost devices offline and raises their alerts. Returns how many. */
const judgeSilence = async (needs: Needs, inputs: CheckInputs): Promise<number> => {
  const { node, pool, clock } = needs;
  const graceStart = clock.steady() - (node.isOfCluster ? linkGraceOfNodes : linkGrace);
  const lost = inputs.known.filter((device) => isLostSince(device, graceStart));
  const links = lost.map(({ deviceId, linkLostAt = graceStart }) => ({
    deviceId,
    lostAt: Math.round(inputs.now - (clock.steady() - linkLostAt)),
  }));
  const { silent, silenced } = await inTransaction(pool, async (client) => {
    await writeHeardTimes(client, { node, ...inputs });
    const rows = await markOffline(client, { node, ...inputs, lost: links });
    const alerts = offlineAlerts(rows, inputs.now);
    const changed = await followMasters(client, inputs.now);
    await silenceSubDevices(
      client,
      alerts.map(({ deviceId }) => deviceId),
      inputs.now,
    );
    await raise(client, alerts, inputs.now);
    if (node.isOfCluster) await notifyOffline(client, rows);
    return { silent: rows, silenced: changed };
  });
  // Judged: those that are online all the same have moved to another node, which hears them.
  for (const device of lost) if (isLostSince(device, graceStart)) device.linkLostAt = undefined;
  announceOffline(needs, silent);
  announce(needs.bus, silenced);
  return silent.length;
};

const isConnected = ({ hasDisconnected }: KnownDevice): boolean => !hasDisconnected;

/** When the newest of a device's connections that count was made. A sub-device has the connection of its master, or one of its own. */
const connectionOf = (
  { registry }: Needs,
  device: KnownDevice,
  counts: (device: KnownDevice) => boolean,
): number | undefined => {
  const { parentDeviceId } = device;
  const master = parentDeviceId === null ? undefined : registry.inMemory({ deviceId: parentDeviceId });
  const times = [device, master].flatMap((each) => (each && counts(each) ? (each.connectedAt ?? []) : []));
  return times.length === 0 ? undefined : Math.max(...times);
};

/** What this server has heard of a device: by a connection that may have ended since. */
const heardOf = (needs: Needs, device: KnownDevice): HeardDevice => ({
  ...{ deviceId: device.deviceId, heardAt: device.heardAt },
  connectedAt: connectionOf(needs, device, () => true),
});

/** Devices whose last connection has ended, with their sub-devices, and what is left to them. */
const withoutConnection = (needs: Needs, ended: readonly KnownDevice[]): DisconnectedDevice[] =>
  ended
    .flatMap((device) => [device, ...needs.registry.subDevices(device.deviceId)])
    .map((device) => ({ deviceId: device.deviceId, connectedAt: connectionOf(needs, device, isConnected) }));

/** Forgets connections that have ended, unless their devices have connected again. */
const forgetConnections = (ended: readonly KnownDevice[]): void => {
  for (const device of ended) if (device.hasDisconnected) device.connectedAt = undefined;
};

/** Lets no device have been heard, or have connected, after this time: the clock was ahead then. */
const clampTimes = (device: KnownDevice, now: number): void => {
  device.heardAt = Math.min(device.heardAt, now);
  if (device.connectedAt !== undefined) device.connectedAt = Math.min(device.connectedAt, now);
};

/**
 * Returns the check for silent devices of a server that keeps readings; `stall` is how long this server may not have received messages of them,
 * milliseconds.
 */
const createCheck = (needs: Needs, server: number) => {
  const { clock, registry } = needs;
  const silence = createSilence(clock);
  let writtenUntil = 0;
  return async (stall: number): Promise<number> => {
    const check = silence.check(stall);
    const { now, isClockSet } = check;
    const known = [...registry.known()].filter(({ deviceId }) => serverOf(deviceId) === server);
    if (isClockSet) for (const device of known) clampTimes(device, now);
    const unwritten = isClockSet ? 0 : writtenUntil;
    const heard = known.filter(({ heardAt }) => heardAt > unwritten);
    // Only once all that was heard by such a connection has been written with it: what is written without one would take the device from another node.
    const ended = known.filter(
      ({ hasDisconnected, connectedAt, heardAt }) =>
        hasDisconnected && connectedAt !== undefined && heardAt <= unwritten,
    );
    const count = await judgeSilence(needs, {
      ...{ ...check, server, known },
      heard: heard.map((device) => heardOf(needs, device)),
      disconnected: withoutConnection(needs, ended),
    });
    forgetConnections(ended);
    writtenUntil = now - 1;
    return count;
  };
};

/** Logs a failed check; of a database in parts with the server's name, since the devices of the others are judged meanwhile. */
const logFailure = ({ log }: Needs, server: number, fault: unknown): void => {
  const name = serverName(server);
  if (name === undefined)
    log.error(
      { err: fault },
      "Could not check for silent devices; no device is marked offline until the next try in 5 seconds",
    );
  else
    log.error(
      { err: fault, server: name },
      "Could not check for silent devices of one server; no device that it keeps is marked offline until the next try in 5 seconds",
    );
};

/** Watches the devices that one server keeps; those of a whole database are all of one. */
const watchServer = (needs: Needs, server: number, lastSuccess: LastSuccess) => {
  const { clock, writer } = needs;
  const check = createCheck(needs, server);
  let isChecking = false;
  let checkedAt = clock.steady();
  // Batches that wait for the database block messages and this check alike; that time does not count as silence.
  const run = withJobMetrics(
    needs,
    "offline watch",
    (stalledSince: number = clock.steady()) =>
      writer.exclusively(() => check(clock.steady() - stalledSince), { server }),
    lastSuccess,
  );
  return {
    run: () => run(),
    begin: (): void => {
      checkedAt = clock.steady();
    },
    checkAgain: async (): Promise<void> => {
      if (isChecking) return;
      isChecking = true;
      await run(checkedAt).catch((fault: unknown) => logFailure(needs, server, fault));
      checkedAt = clock.steady();
      isChecking = false;
    },
  };
};

/**
 * Creates the offline watch. Silence is measured by arrival. It runs between two batches, so that no message arrives between check and marking. In a
 * database in parts each server's devices are watched on their own, so that a lost one holds up only its own.
 */
export const createOfflineWatch = (needs: Needs): OfflineWatch => {
  const servers = leastRecentOf(serverCount()).map((lastSuccess, server) => watchServer(needs, server, lastSuccess));
  let timer: NodeJS.Timeout | undefined;
  const runAll = async (): Promise<number> => {
    const runs = await Promise.allSettled(servers.map(({ run }) => run()));
    let count = 0;
    for (const run of runs) {
      if (run.status === "rejected") throw run.reason;
      count += run.value;
    }
    return count;
  };
  return {
    run: runAll,
    linkLost: (devices) => {
      for (const device of devices) device.linkLostAt ??= needs.clock.steady();
    },
    start: () => {
      for (const { begin } of servers) begin();
      timer = setInterval(() => {
        for (const { checkAgain } of servers) void checkAgain();
      }, every);
      timer.unref();
    },
    stop: async () => {
      clearInterval(timer);
      await runAll().catch((fault: unknown) =>
        needs.log.warn({ err: fault }, "Could not write the devices' last-seen times at the stop"),
      );
    },
  };
};
