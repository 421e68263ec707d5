import { LiveCommand } from "@telltale/contract/live";
import type { FindCaller } from "../platform/http/gate.ts";
import type { World } from "../world.ts";
import { recheck } from "./admission.ts";
import { closeCode, type Member } from "./connection.ts";
import { textFrame } from "./frame.ts";
import type { HubMetrics } from "./hub-metrics.ts";

/** Watches over the open sockets: who is dead is cut off, whose token or rights have ended is closed. */
export interface Keepalive {
  start(): void;
  stop(): void;
}

interface Needs extends Pick<World, "log"> {
  everybody: () => Member[];
  findCaller: FindCaller;
  metrics: HubMetrics;
  /** Milliseconds between two heartbeats, and between two checks of the tokens. */
  limits: { heartbeat: number; recheck: number };
}

const heartbeat = textFrame(JSON.stringify({ cmd: LiveCommand.heartbeat }));

/** Asks every member whether it still answers. */
const pingAll = ({ everybody, metrics }: Needs): void => {
  for (const member of everybody()) {
    if (member.ping(heartbeat)) continue;
    metrics.closed.inc({ reason: "no answer" });
    member.cut();
  }
};

/** Ends the sockets whose token signs nobody in any more or may see other things now; one after the other, as there is no hurry. */
const recheckAll = async ({ everybody, findCaller, metrics }: Needs): Promise<void> => {
  for (const member of everybody()) {
    const rights = await recheck(member, findCaller);
    if (rights === "same") continue;
    metrics.closed.inc({ reason: rights === "ended" ? "signed out" : "rights changed" });
    if (rights === "ended") member.signOut();
    else member.close(closeCode.rightsChanged, "Rights have changed");
  }
};

export const createKeepalive = (needs: Needs): Keepalive => {
  const timers: NodeJS.Timeout[] = [];
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    await recheckAll(needs).catch((err: unknown) =>
      needs.log.warn({ err }, "The live sockets' tokens were not checked"),
    );
    isChecking = false;
  };
  return {
    start: () => {
      timers.push(setInterval(() => pingAll(needs), needs.limits.heartbeat));
      timers.push(setInterval(() => void check(), needs.limits.recheck));
    },
    stop: () => {
      for (const timer of timers.splice(0)) clearInterval(timer);
    },
  };
};
