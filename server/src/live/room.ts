import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import type { Member } from "./member.ts";
import { createPending } from "./pending.ts";
import type { Sight } from "./sight.ts";

/** What a round of sending did. */
export interface Sent {
  messages: number;
  /** Older values that a slow socket never got because newer ones took their place. */
  skipped: number;
}

/** The sockets of one plant. */
export interface Room {
  members: Set<Member>;
  add(message: LiveMessage): void;
  /** Sends what came since the last time. Every message is written out once, and joined once for all who see the same. */
  flush(): Promise<Sent>;
  readonly isHolding: boolean;
}

export const createRoom = (onFault: (fault: unknown) => void): Room => {
  const members = new Set<Member>();
  const pending = createPending();
  let isDashboardChanged = false;

  /** A changed dashboard changes what its viewers see, before they are told. */
  const reloadSights = async (): Promise<void> => {
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
      await reloadSights();
      const parcels = pending.take();
      const sent: Sent = { messages: 0, skipped: 0 };
      for (const [sight, group] of Map.groupBy(members, (member: Member): Sight => member.sight)) {
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
