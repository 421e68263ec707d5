import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import type { World } from "../world.ts";
import { createAlertRows, type UnconfirmedOf } from "./alert-rows.ts";
import { type Connection, closeCode } from "./plant/connection.ts";
import type { PlantChannels } from "./plant/plant-channel.ts";
import type { Recent } from "./plant/recent.ts";

/** Forwards the events of the bus to the sockets while it is started. */
export interface BusEvents {
  start(): void;
  stop(): void;
}

interface Needs extends Pick<World, "bus" | "log"> {
  channels: PlantChannels;
  recent: Recent;
  unconfirmedOf: UnconfirmedOf;
  /** Sends messages to the sockets of a plant. */
  send(plantId: number, messages: readonly LiveMessage[]): void;
  reconnect(connections: readonly Connection[]): void;
}

export const createBusEvents = ({ bus, log, channels, recent, unconfirmedOf, send, reconnect }: Needs): BusEvents => {
  const alertRows = createAlertRows({ log, unconfirmedOf, onRead: send });
  const reconnectAll = (): void => reconnect(channels.all());
  const subscribe = (): (() => void)[] => [
    bus.on("live", ({ plantId, message }) => {
      recent.add(plantId, message);
      if (!channels.of(plantId)) return;
      if (message.cmd === LiveCommand.alertChange) alertRows.changed(plantId, message.deviceId);
      else send(plantId, [message]);
    }),
    bus.on("signOut", ({ tokenHash }) => {
      for (const connection of channels.all()) if (connection.caller.tokenHash === tokenHash) connection.signOut();
    }),
    bus.on("rightsChange", ({ accountId }) => {
      for (const connection of channels.all())
        if (connection.caller.accountId === accountId) connection.close(closeCode.rightsChanged, "Rights have changed");
    }),
    bus.on("noticesMissed", reconnectAll),
    bus.on("liveMissed", reconnectAll),
  ];
  const unsubscribe: (() => void)[] = [];
  return {
    start: () => void unsubscribe.push(...subscribe()),
    stop: () => {
      for (const off of unsubscribe.splice(0)) off();
      alertRows.stop();
    },
  };
};
