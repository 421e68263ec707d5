import { LiveCommand } from "@telltale/contract/live";
import type { FindCaller } from "../platform/http/gate.ts";
import type { World } from "../world.ts";
import type { HubMetrics } from "./hub-metrics.ts";
import { recheck } from "./plant/admission.ts";
import { type Connection, closeCode } from "./plant/connection.ts";
import { textFrame } from "./plant/frame.ts";

/** Monitors open sockets: terminates dead ones, closes those whose token or rights have changed. */
export interface Keepalive {
  start(): void;
  stop(): void;
}

interface Needs extends Pick<World, "log"> {
  all: () => Connection[];
  findCaller: FindCaller;
  metrics: HubMetrics;
  /** Interval of heartbeats, of pings and of token checks, milliseconds. */
  limits: { heartbeat: number; ping: number; recheck: number };
}

const heartbeat = textFrame(JSON.stringify({ cmd: LiveCommand.heartbeat }));

const beatAll = ({ all }: Needs): void => {
  for (const connection of all()) connection.beat(heartbeat);
};

/** Pings every socket and terminates the dead ones. */
const pingAll = ({ all, metrics }: Needs): void => {
  for (const connection of all()) {
    if (connection.ping()) continue;
    metrics.closed.inc({ reason: "no answer" });
    connection.cut();
  }
};

/** Closes sockets whose token is no longer valid or whose rights have changed; sequentially, since it is not urgent. */
const recheckAll = async ({ all, findCaller, metrics }: Needs): Promise<void> => {
  for (const connection of all()) {
    const rights = await recheck(connection, findCaller);
    if (rights === "same") continue;
    metrics.closed.inc({ reason: rights === "ended" ? "signed out" : "rights changed" });
    if (rights === "ended") connection.signOut();
    else connection.close(closeCode.rightsChanged, "Rights have changed");
  }
};

export const createKeepalive = (needs: Needs): Keepalive => {
  const timers: NodeJS.Timeout[] = [];
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    await recheckAll(needs).catch((err: unknown) =>
      needs.log.warn({ err }, "Could not check the live sockets' tokens; trying again at the next interval"),
    );
    isChecking = false;
  };
  return {
    start: () => {
      timers.push(setInterval(() => beatAll(needs), needs.limits.heartbeat));
      timers.push(setInterval(() => pingAll(needs), needs.limits.ping));
      timers.push(setInterval(() => void check(), needs.limits.recheck));
    },
    stop: () => {
      for (const timer of timers.splice(0)) clearInterval(timer);
    },
  };
};
