import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import type { PlantEvent } from "../platform/bus/bus.ts";
import type { RecordChange } from "../platform/database/audit.ts";
import type { World } from "../world.ts";
import { type ChangedOf, createAlertRows } from "./alert-rows.ts";
import { type Connection, closeCode } from "./plant/connection.ts";
import { frameOf } from "./plant/pending.ts";
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
  changedOf: ChangedOf;
  /** Sends messages to the sockets of a plant. */
  send(plantId: number, messages: readonly LiveMessage[]): void;
  reconnect(connections: readonly Connection[]): void;
}

export const createBusEvents = ({ bus, log, channels, recent, changedOf, send, reconnect }: Needs): BusEvents => {
  const alertRows = createAlertRows({ log, changedOf, onRead: send });
  const reconnectAll = (): void => {
    alertRows.forget();
    reconnect(channels.all());
  };
  const tell = ({ plantId, message, isOfDevice }: PlantEvent): void => {
    recent.add(plantId, message);
    if (!channels.of(plantId)) {
      if (message.cmd === LiveCommand.alertChange) alertRows.forget(plantId);
      return;
    }
    if (message.cmd === LiveCommand.alertChange) alertRows.changed(plantId, message.deviceId, isOfDevice ?? false);
    else send(plantId, [message]);
  };
  /** To the user's own consoles. Not repeated to those that join later: nobody changes a list and opens it elsewhere within the same moment. */
  const tellUser = (userId: number, message: LiveMessage): void => {
    const frame = frameOf(message);
    for (const { caller, sendBuffer } of channels.all())
      if (caller.userId === userId) sendBuffer.offer([frame], frame.bytes);
  };
  const changed = ({ plantId, userId, record }: RecordChange): void => {
    const message = { cmd: LiveCommand.recordChange, record };
    const everyPlant = () => new Set(channels.all().map(({ caller }) => caller.plantId));
    if (userId !== undefined) tellUser(userId, message);
    else for (const each of plantId === null ? everyPlant() : [plantId]) tell({ plantId: each, message });
  };
  const subscribe = (): (() => void)[] => [
    bus.on("live", tell),
    bus.on("recordChange", changed),
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
