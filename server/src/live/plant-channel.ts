import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import type { Connection } from "./connection.ts";
import { createPending } from "./pending.ts";
import type { Visibility } from "./visibility.ts";

/** Result of a round. */
export interface Sent {
  messages: number;
  /** Older values that a slow socket did not get because newer ones replaced them. */
  skipped: number;
}

/** The live sockets of one plant. */
export interface PlantChannel {
  connections: Set<Connection>;
  add(message: LiveMessage): void;
  /** Sends what was added since the last flush. Each message is encoded once, and frames are joined once per visibility. */
  flush(): Promise<Sent>;
  readonly isHolding: boolean;
}

const createPlantChannel = (onFault: (fault: unknown) => void): PlantChannel => {
  const connections = new Set<Connection>();
  const pending = createPending();
  let isDashboardChanged = false;

  /** Reloads what viewers may see after a dashboard change, before its message is sent. */
  const reloadVisibilities = async (): Promise<void> => {
    if (!isDashboardChanged) return;
    isDashboardChanged = false;
    const visibilities = new Set([...connections].map((connection) => connection.visibility));
    await Promise.all([...visibilities].map((visibility) => visibility.reload().catch(onFault)));
  };

  return {
    connections,
    add: (message) => {
      if (message.cmd === LiveCommand.dashboardChange) isDashboardChanged = true;
      pending.add(message);
    },
    flush: async () => {
      await reloadVisibilities();
      const frames = pending.take();
      const sent: Sent = { messages: 0, skipped: 0 };
      for (const [visibility, group] of Map.groupBy(
        connections,
        (connection: Connection): Visibility => connection.visibility,
      )) {
        const visible = frames.filter((frame) => visibility.sees(frame.message));
        const batch = Buffer.concat(visible.map((frame) => frame.bytes));
        for (const { sendBuffer } of group) {
          sendBuffer.drain();
          if (visible.length === 0) continue;
          sent.skipped += sendBuffer.offer(visible, batch);
          sent.messages += visible.length;
        }
      }
      return sent;
    },
    get isHolding() {
      return connections.values().some((connection) => connection.sendBuffer.isHolding);
    },
  };
};

/** The channels of all plants with an open socket. */
export interface PlantChannels {
  /** The channel of a plant; undefined when no socket is open. */
  of(plantId: number): PlantChannel | undefined;
  join(connection: Connection): void;
  leave(connection: Connection): void;
  all(): Connection[];
}

export const createPlantChannels = (onFault: (fault: unknown) => void): PlantChannels => {
  const plantChannels = new Map<number, PlantChannel>();
  return {
    of: (plantId) => plantChannels.get(plantId),
    join: (connection) => {
      const { plantId } = connection.caller;
      const plantChannel = plantChannels.get(plantId) ?? createPlantChannel(onFault);
      plantChannels.set(plantId, plantChannel);
      plantChannel.connections.add(connection);
    },
    leave: (connection) => {
      const { plantId } = connection.caller;
      const plantChannel = plantChannels.get(plantId);
      plantChannel?.connections.delete(connection);
      if (plantChannel?.connections.size === 0) plantChannels.delete(plantId);
    },
    all: () => [...plantChannels.values()].flatMap((plantChannel) => [...plantChannel.connections]),
  };
};
