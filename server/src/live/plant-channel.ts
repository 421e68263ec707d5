import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import type { Member } from "./connection.ts";
import { createPending } from "./pending.ts";
import type { Visibility } from "./visibility.ts";

/** What a round of sending did. */
export interface Sent {
  messages: number;
  /** Older values that a slow socket never got because newer ones took their place. */
  skipped: number;
}

/** The sockets of one plant. */
export interface PlantChannel {
  members: Set<Member>;
  add(message: LiveMessage): void;
  /** Sends what came since the last time. Every message is written out once, and joined once for all who see the same. */
  flush(): Promise<Sent>;
  readonly isHolding: boolean;
}

const createRoom = (onFault: (fault: unknown) => void): PlantChannel => {
  const members = new Set<Member>();
  const pending = createPending();
  let isDashboardChanged = false;

  /** A changed dashboard changes what its viewers see, before they are told. */
  const reloadVisibilities = async (): Promise<void> => {
    if (!isDashboardChanged) return;
    isDashboardChanged = false;
    const sights = new Set([...members].map((member) => member.sight));
    await Promise.all([...sights].map((sight) => sight.reload().catch(onFault)));
  };

  return {
    members,
    add: (message) => {
      if (message.cmd === LiveCommand.dashboardChange) isDashboardChanged = true;
      pending.add(message);
    },
    flush: async () => {
      await reloadVisibilities();
      const parcels = pending.take();
      const sent: Sent = { messages: 0, skipped: 0 };
      for (const [sight, group] of Map.groupBy(members, (member: Member): Visibility => member.sight)) {
        const visible = parcels.filter((parcel) => sight.sees(parcel.message));
        const batch = Buffer.concat(visible.map((parcel) => parcel.bytes));
        for (const { outlet } of group) {
          outlet.drain();
          if (visible.length === 0) continue;
          sent.skipped += outlet.offer(visible, batch);
          sent.messages += visible.length;
        }
      }
      return sent;
    },
    get isHolding() {
      return members.values().some((member) => member.outlet.isHolding);
    },
  };
};

/** The rooms of all plants in which somebody listens. */
export interface PlantChannels {
  /** The room of a plant; undefined when nobody listens there. */
  of(plantId: number): PlantChannel | undefined;
  join(member: Member): void;
  leave(member: Member): void;
  everybody(): Member[];
}

export const createPlantChannels = (onFault: (fault: unknown) => void): PlantChannels => {
  const rooms = new Map<number, PlantChannel>();
  return {
    of: (plantId) => rooms.get(plantId),
    join: (member) => {
      const { plantId } = member.caller;
      const room = rooms.get(plantId) ?? createRoom(onFault);
      rooms.set(plantId, room);
      room.members.add(member);
    },
    leave: (member) => {
      const { plantId } = member.caller;
      const room = rooms.get(plantId);
      room?.members.delete(member);
      if (room?.members.size === 0) rooms.delete(plantId);
    },
    everybody: () => [...rooms.values()].flatMap((room) => [...room.members]),
  };
};
