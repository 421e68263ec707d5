import { LiveCommand } from "@telltale/contract/live";
import type { PoolClient } from "pg";
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

/** Wait before a lost connection is made again, milliseconds. */
const pause = 1_000;

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

export const createNotices = ({ pool, bus, log }: Pick<World, "pool" | "bus" | "log">): Notices => {
  let client: PoolClient | undefined;
  let isStopped = false;
  const listen = async (): Promise<void> => {
    const connection = await pool.connect();
    connection.on("notification", ({ payload }) => pass(bus, payload));
    connection.on("error", () => {
      if (client !== connection) return;
      client = undefined;
      connection.release(true);
      listenAgain();
    });
    client = connection;
    await connection.query(`LISTEN ${noticeChannel}`);
  };
  const listenAgain = (): void => {
    const retry = () => {
      if (isStopped) return;
      listen().catch((err: unknown) => {
        log.warn({ err }, "Changes that other processes make are not heard; tried again soon");
        listenAgain();
      });
    };
    setTimeout(retry, pause).unref();
  };
  return {
    start: listen,
    stop: () => {
      isStopped = true;
      const connection = client;
      client = undefined;
      connection?.removeAllListeners("notification");
      connection?.release(true);
    },
  };
};
