import { heartbeatInterval } from "@telltale/contract/live";
import type { FindCaller } from "../platform/http/gate.ts";
import type { World } from "../world.ts";
import { closeCode, type Member } from "./connection.ts";
import { createRounds } from "./flush-rounds.ts";
import { createHubMetrics } from "./hub-metrics.ts";
import { createKeepalive } from "./keepalive.ts";
import { createPlantChannels } from "./plant-channel.ts";
import { createRecent } from "./recent.ts";
import { createVisibility, type Visibility, visibilityKey } from "./visibility.ts";

/** Times in milliseconds. */
export interface HubLimits {
  /** Messages are gathered this long before they are sent. */
  gather: number;
  heartbeat: number;
  /** How often it is asked whether the tokens still hold. */
  recheck: number;
  /** Sockets of one account at the same time: more than a plant has screens. */
  perAccount: number;
}

export const hubLimits: HubLimits = { gather: 50, heartbeat: heartbeatInterval, recheck: 60_000, perAccount: 2_000 };

/** Passes what happens in a plant to the sockets of its accounts. */
export interface Hub {
  /** What an account sees; accounts that see the same share it. */
  sightOf(caller: Member["caller"]): Promise<Visibility>;
  /** Lets a socket listen, or closes it when its account has too many. */
  join(member: Member): void;
  leave(member: Member): void;
  start(): void;
  stop(): void;
}

type Needs = Pick<World, "db" | "bus" | "log" | "metrics"> & { findCaller: FindCaller; limits?: HubLimits };

/** From the bus to the sockets. `stop` undoes `start`. */
export const createHub = ({ db, bus, log, metrics: registry, findCaller, limits = hubLimits }: Needs): Hub => {
  const rooms = createPlantChannels((err) => log.error({ err }, "A viewer's dashboard was not loaded again"));
  const metrics = createHubMetrics(registry, () => rooms.everybody().length);
  const rounds = createRounds(limits.gather, metrics.count);
  const keepalive = createKeepalive({ everybody: rooms.everybody, findCaller, metrics, limits, log });
  const recent = createRecent();
  const unsubscribe: (() => void)[] = [];
  const membersOf = ({ plantId }: Member["caller"]) => [...(rooms.of(plantId)?.members ?? [])];

  return {
    sightOf: async (caller) => {
      const same = membersOf(caller).find(({ sight }) => sight.key === visibilityKey(caller));
      return same?.sight ?? createVisibility(db, caller);
    },
    join: (member) => {
      const own = membersOf(member.caller).filter(({ caller }) => caller.accountId === member.caller.accountId);
      if (own.length < limits.perAccount) {
        rooms.join(member);
        const missed = recent.of(member.caller.plantId).filter(({ message }) => member.sight.sees(message));
        if (missed.length > 0) member.outlet.offer(missed, Buffer.concat(missed.map(({ bytes }) => bytes)));
        return;
      }
      metrics.closed.inc({ reason: "too many" });
      member.close(closeCode.tooMany, "Too many connections of this account");
    },
    leave: rooms.leave,
    start: () => {
      keepalive.start();
      const onLive = bus.on("live", ({ plantId, message }) => {
        recent.add(plantId, message);
        const room = rooms.of(plantId);
        if (!room) return;
        room.add(message);
        rounds.wake(room);
      });
      const onSignOut = bus.on("signOut", ({ tokenHash }) => {
        for (const member of rooms.everybody()) if (member.caller.tokenHash === tokenHash) member.signOut();
      });
      const onRights = bus.on("rightsChange", ({ accountId }) => {
        for (const member of rooms.everybody())
          if (member.caller.accountId === accountId) member.close(closeCode.rightsChanged, "Rights have changed");
      });
      // They connect again, and load what they show; nobody who does shares the sight of one who has not gone yet.
      const onMissed = bus.on("noticesMissed", () => {
        for (const member of rooms.everybody()) {
          rooms.leave(member);
          metrics.closed.inc({ reason: "changes missed" });
          member.close(closeCode.changesMissed, "Changes may have been missed");
        }
      });
      unsubscribe.push(onLive, onSignOut, onRights, onMissed);
    },
    stop: () => {
      for (const off of unsubscribe.splice(0)) off();
      keepalive.stop();
      rounds.stop();
      for (const member of rooms.everybody()) member.close(closeCode.goingAway, "The server stops");
    },
  };
};
