import { setTimeout as sleep } from "node:timers/promises";
import { LiveCommand } from "@telltale/contract/live";
import { sql } from "kysely";
import type { ClientBase, Notification } from "pg";
import type { World } from "../../world.ts";
import { type RecordChange, recordChannel } from "../database/audit.ts";
import { batched } from "../database/batched.ts";
import type { Database } from "../database/schema/schema.ts";
import type { DeviceEnd, NoticeSync } from "./bus.ts";

/** PostgreSQL notification channel for device changes, also those of other processes such as the operator's commands. */
export const noticeChannel = "telltale_device_change";

/** A change notice; without a device, only the plant's dashboards have changed. */
export interface Notice {
  /** Null for a device that is not claimed. */
  plantId: number | null;
  deviceId?: number;
  ended?: DeviceEnd | undefined;
  /** It was marked offline. */
  isOffline?: true;
}

/** Notifies every running server of a change, when the transaction commits: caches, the device itself, open consoles. */
export const notify = async (db: Database, notice: Notice): Promise<void> => {
  await sql`select pg_notify(${noticeChannel}, ${JSON.stringify(notice)})`.execute(db);
};

const offlineNotices = `SELECT pg_notify('${noticeChannel}', notice) FROM unnest($1::text[]) AS n(notice)`;

/** Notifies every running server that these devices were marked offline, when the transaction commits. */
export const notifyOffline = async (
  client: ClientBase,
  devices: readonly { device_id: number; plant_id: number | null }[],
): Promise<void> => {
  if (devices.length === 0) return;
  const noticeOf = ({ device_id: deviceId, plant_id: plantId }: (typeof devices)[number]): Notice => ({
    plantId,
    deviceId,
    isOffline: true,
  });
  await client.query(offlineNotices, [devices.map((device) => JSON.stringify(noticeOf(device)))]);
};

/** Forwards the database's notices to the bus. */
export interface Notices extends NoticeSync {
  start(): Promise<void>;
  stop(): void;
}

/** Milliseconds. */
interface Times {
  /** Delay before a reconnect. */
  pause: number;
  /** Interval of queries that check the connection: a dropped network path is not noticed otherwise. */
  ask: number;
  /** Longest wait for notices in flight. */
  timeout: number;
}

const usualTimes: Times = { pause: 1_000, ask: 30_000, timeout: 1_000 };

const pass = (bus: World["bus"], { channel, payload }: Notification): void => {
  if (channel === recordChannel) {
    const change: RecordChange = JSON.parse(payload ?? "{}");
    bus.emitHere("recordChange", change);
    return;
  }
  const { plantId, deviceId, ended, isOffline } = JSON.parse(payload ?? "{}") as Notice;
  if (deviceId !== undefined)
    bus.emitHere("deviceChange", { deviceId, ...(ended && { ended }), ...(isOffline && { isOffline }) });
  if (plantId === null) return;
  if (deviceId === undefined) {
    bus.emitHere("live", { plantId, message: { cmd: LiveCommand.dashboardChange } });
    return;
  }
  bus.emitHere("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
  const message = { cmd: LiveCommand.alertChange, deviceId };
  bus.emitHere("live", { plantId, message, ...(!isOffline && { isOfDevice: true }) });
};

type Needs = Pick<World, "pool" | "bus" | "log">;

/** Idempotent, so it also serves as a ping. */
const listening = `LISTEN ${noticeChannel}; LISTEN ${recordChannel}`;

interface NoticeListener {
  end(): void;
  /** Resolves when the connection has answered or is lost. PostgreSQL delivers pending notices before the answer. */
  ask(): Promise<void>;
}

/** Listens for notices on a dedicated connection. `onLost` is called once, when it is lost. */
const listenForNotices = async (
  { pool, bus }: Needs,
  pause: number,
  onLost: (fault: unknown) => void,
): Promise<NoticeListener> => {
  const connection = await pool.connect();
  try {
    connection.on("notification", (notification) => pass(bus, notification));
    await connection.query(listening);
  } catch (fault) {
    connection.release(true);
    throw fault;
  }
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    connection.removeAllListeners("notification");
    connection.release(true);
  };
  const lost = (fault: unknown): void => {
    if (isOver) return;
    end();
    onLost(fault);
  };
  const answered = batched(async (requests: readonly undefined[]) => {
    await connection.query(listening);
    return requests;
  });
  const ask = (): Promise<void> => answered(undefined).catch(lost);
  const timer = setInterval(ask, pause).unref();
  connection.on("error", lost);
  return { end, ask };
};

/** Creates the listener for notices. Notices sent while disconnected are lost, so the bus emits `noticesMissed` after a reconnect. */
export const createNotices = (needs: Needs, { pause, ask, timeout }: Times = usualTimes): Notices => {
  const { bus, log } = needs;
  let listener: NoticeListener | undefined;
  let isStopped = false;
  const listen = async (): Promise<void> => {
    listener = await listenForNotices(needs, ask, listenAgain);
    if (isStopped) listener.end();
  };
  const listenAgain = (err: unknown): void => {
    listener = undefined;
    log.warn(
      { err },
      "Lost the connection that receives change notices; changes take effect after it is restored. Reconnecting",
    );
    const retry = () => {
      if (isStopped) return;
      listen().then(() => bus.emitHere("noticesMissed", {}), listenAgain);
    };
    setTimeout(retry, pause).unref();
  };
  return {
    start: listen,
    stop: () => {
      isStopped = true;
      listener?.end();
      listener = undefined;
    },
    caughtUp: async () => {
      const isOver = new AbortController();
      const tooLong = sleep(timeout, undefined, { signal: isOver.signal, ref: false }).catch(() => {});
      await Promise.race([listener?.ask(), tooLong]);
      isOver.abort();
    },
  };
};
