import { LiveCommand } from "@telltale/contract/live";
import type { World } from "../world.ts";
import type { DeviceEnd } from "./bus.ts";

/** The database's channel on which a transaction says that it changed a device: also to other processes, such as the operator's commands. */
export const noticeChannel = "telltale_device_change";

/** What is said on it: without a device, only the plant's dashboards changed. */
export interface Notice {
  plantId: number;
  deviceId?: number;
  ended?: DeviceEnd;
}

/** Passes the database's notices to the bus. */
export interface Notices {
  start(): Promise<void>;
  stop(): void;
}

/** Milliseconds. */
interface Times {
  /** Wait before a lost connection is made again. */
  pause: number;
  /** How often the connection is asked whether it lives: the loss of a path that nothing is sent on is noticed by nobody. */
  ask: number;
}

const usualTimes: Times = { pause: 1_000, ask: 30_000 };

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

/** Hears the notices on a connection of its own; gives how to end that. `onLost` is called once, when they are not heard any more. */
const hear = async ({ pool, bus }: Needs, ask: number, onLost: (fault: unknown) => void): Promise<() => void> => {
  const connection = await pool.connect();
  try {
    connection.on("notification", ({ payload }) => pass(bus, payload));
    await connection.query(`LISTEN ${noticeChannel}`);
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
  const timer = setInterval(() => void connection.query("SELECT 1").catch(lost), ask).unref();
  connection.on("error", lost);
  return end;
};

/** What was said while nobody listened is said by nobody again: when notices are heard again, the bus says that some may have been missed. */
export const createNotices = (needs: Needs, { pause, ask }: Times = usualTimes): Notices => {
  const { bus, log } = needs;
  let end: (() => void) | undefined;
  let isStopped = false;
  const listen = async (): Promise<void> => {
    end = await hear(needs, ask, listenAgain);
    if (isStopped) end();
  };
  const listenAgain = (err: unknown): void => {
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
      end?.();
    },
  };
};
