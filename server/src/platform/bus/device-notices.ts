import { setTimeout as sleep } from "node:timers/promises";
import { LiveCommand } from "@telltale/contract/live";
import { sql } from "kysely";
import type { World } from "../../world.ts";
import { batched } from "../database/batched.ts";
import type { Database } from "../database/schema/schema.ts";
import type { DeviceEnd, NoticesHeard } from "./bus.ts";

/** The database's channel on which a transaction says that it changed a device: also to other processes, such as the operator's commands. */
export const noticeChannel = "telltale_device_change";

/** What is said on it: without a device, only the plant's dashboards changed. */
export interface Notice {
  plantId: number;
  deviceId?: number;
  ended?: DeviceEnd | undefined;
}

/** Tells every running server what this transaction changed, when it is committed: caches, the device itself, open screens. */
export const notify = async (db: Database, notice: Notice): Promise<void> => {
  await sql`select pg_notify(${noticeChannel}, ${JSON.stringify(notice)})`.execute(db);
};

/** Passes the database's notices to the bus. */
export interface Notices extends NoticesHeard {
  start(): Promise<void>;
  stop(): void;
}

/** Milliseconds. */
interface Times {
  /** Wait before a lost connection is made again. */
  pause: number;
  /** How often the connection is asked whether it lives: the loss of a path that nothing is sent on is noticed by nobody. */
  ask: number;
  /** Longest wait for notices that are on their way. */
  patience: number;
}

const usualTimes: Times = { pause: 1_000, ask: 30_000, patience: 1_000 };

const pass = (bus: World["bus"], payload: string | undefined): void => {
  const { plantId, deviceId, ended } = JSON.parse(payload ?? "{}") as Notice;
  if (deviceId === undefined) {
    bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange } });
    return;
  }
  bus.emit("deviceChange", { deviceId, ...(ended && { ended }) });
  bus.emit("live", { plantId, message: { cmd: LiveCommand.dashboardChange, deviceId } });
  bus.emit("live", { plantId, message: { cmd: LiveCommand.alertChange, deviceId } });
};

type Needs = Pick<World, "pool" | "bus" | "log">;

/** Said again, it changes nothing and is answered. */
const listening = `LISTEN ${noticeChannel}`;

interface Hearing {
  end(): void;
  /** Resolves when the connection has answered, or is lost. The database sends the notices that it has for a connection before its answer. */
  ask(): Promise<void>;
}

/** Hears the notices on a connection of its own. `onLost` is called once, when they are not heard any more. */
const hear = async ({ pool, bus }: Needs, pause: number, onLost: (fault: unknown) => void): Promise<Hearing> => {
  const connection = await pool.connect();
  try {
    connection.on("notification", ({ payload }) => pass(bus, payload));
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
  const answered = batched(async (asked: readonly undefined[]) => {
    await connection.query(listening);
    return asked;
  });
  const ask = (): Promise<void> => answered(undefined).catch(lost);
  const timer = setInterval(ask, pause).unref();
  connection.on("error", lost);
  return { end, ask };
};

/** What was said while nobody listened is said by nobody again: when notices are heard again, the bus says that some may have been missed. */
export const createNotices = (needs: Needs, { pause, ask, patience }: Times = usualTimes): Notices => {
  const { bus, log } = needs;
  let hearing: Hearing | undefined;
  let isStopped = false;
  const listen = async (): Promise<void> => {
    hearing = await hear(needs, ask, listenAgain);
    if (isStopped) hearing.end();
  };
  const listenAgain = (err: unknown): void => {
    hearing = undefined;
    log.warn({ err }, "Changes that other processes make are not heard; tried again soon");
    const retry = () => {
      if (isStopped) return;
      listen().then(() => bus.emit("noticesMissed", {}), listenAgain);
    };
    setTimeout(retry, pause).unref();
  };
  return {
    start: listen,
    stop: () => {
      isStopped = true;
      hearing?.end();
      hearing = undefined;
    },
    caughtUp: async () => {
      const isOver = new AbortController();
      const tooLong = sleep(patience, undefined, { signal: isOver.signal, ref: false }).catch(() => {});
      await Promise.race([hearing?.ask(), tooLong]);
      isOver.abort();
    },
  };
};
