import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import type { Connection } from "./connection.ts";
import { createPaces, type Paces } from "./pace.ts";
import { createPending, type Frame, frameOf } from "./pending.ts";
import type { Visibility } from "./visibility.ts";
import type { everything, Watched } from "./watch.ts";
import { createWatches, type Watches } from "./watches.ts";

/** Result of a round. */
export interface Sent {
  messages: number;
  /** Older values that a slow socket did not get because newer ones replaced them. */
  skipped: number;
}

/** The live sockets of one plant. */
export interface PlantChannel {
  connections: ReadonlySet<Connection>;
  join(connection: Connection): void;
  leave(connection: Connection): void;
  add(message: LiveMessage): void;
  /** The socket is sent values of these channels only from the next flush on, which also sends the newest values of those it has not named before. */
  watch(connection: Connection, watched: Watched | typeof everything): void;
  /**
   * Sends what was added since the last flush. Each message is encoded once, and frames are joined once per visibility. After a dashboard change
   * nothing is sent until it is known what viewers may see now.
   */
  flush(): Sent;
  /** Whether there is more to send in another round. */
  readonly isHolding: boolean;
}

/** What a channel reports. */
interface ChannelEvents {
  /** What these viewers may see could not be reloaded: what they see now may be too much. */
  onFault(fault: unknown, viewers: readonly Connection[]): void;
  /** What was held back can be sent. */
  onReloaded(channel: PlantChannel): void;
}

/** Sends the frames to all of a group. */
const sendTo = (group: readonly Connection[], frames: readonly Frame[], sent: Sent): void => {
  if (frames.length === 0) return;
  const batch = Buffer.concat(frames.map((frame) => frame.bytes));
  for (const { sendBuffer } of group) {
    sent.skipped += sendBuffer.offer(frames, batch);
    sent.messages += frames.length;
  }
};

/** The frames that are seen, those of alerts without their changes where these depend on what is not seen. */
const visibleTo = (visibility: Visibility, frames: readonly Frame[]): Frame[] =>
  frames.flatMap((frame) => {
    const { message } = frame;
    if (!visibility.sees(message)) return [];
    const isWhole =
      message.cmd !== LiveCommand.alertChange ||
      !message.log ||
      visibility.seesAll([message.deviceId, ...message.log.family]);
    return [isWhole ? frame : frame.alone];
  });

interface Sockets {
  connections: ReadonlySet<Connection>;
  watches: Watches<Connection>;
  paces: Paces;
}

/** Sends the frames of a round, and then what sockets lack of channels that they have named anew: the frames may be older. */
const send = ({ connections, watches, paces }: Sockets, frames: readonly Frame[], sent: Sent): void => {
  for (const { sendBuffer } of connections) sendBuffer.drain();
  const paceOf = paces.round();
  for (const [visibility, viewers] of Map.groupBy(connections, ({ visibility }): Visibility => visibility)) {
    const visible = visibleTo(visibility, frames);
    for (const [key, group] of Map.groupBy(viewers, watches.keyOf)) {
      const wanted = watches.wanted(group[0], visible);
      sendTo(group, key === undefined ? wanted : paceOf(visibility, key).take(wanted, visibility), sent);
    }
  }
  for (const [connection, messages] of watches.takeMissing())
    sendTo([connection], messages.filter((message) => connection.visibility.sees(message)).map(frameOf), sent);
};

const createPlantChannel = ({ onFault, onReloaded }: ChannelEvents): PlantChannel => {
  const connections = new Set<Connection>();
  const watches = createWatches<Connection>();
  const pending = createPending();
  const paces = createPaces();
  let isDashboardChanged = false;
  let isReloading = false;
  /** What is sent once it is known what viewers may see. */
  let held: Frame[] | undefined;

  /** Reloads what viewers may see, if there are any. The plant waits for the database meanwhile, and the other plants do not. */
  const reloadVisibilities = async (): Promise<void> => {
    isDashboardChanged = false;
    const limited = new Set(
      [...connections].flatMap(({ visibility }) => (visibility.reload ? [visibility.reload] : [])),
    );
    if (limited.size === 0) return;
    isReloading = true;
    held = pending.take();
    const viewersOf = (reload: unknown) => [...connections].filter(({ visibility }) => visibility.reload === reload);
    await Promise.all([...limited].map((reload) => reload().catch((fault) => onFault(fault, viewersOf(reload)))));
    isReloading = false;
    onReloaded(channel);
  };

  const channel: PlantChannel = {
    connections,
    join: (connection) => void connections.add(connection),
    leave: (connection) => {
      connections.delete(connection);
      watches.leave(connection);
    },
    add: (message) => {
      if (message.cmd === LiveCommand.dashboardChange) isDashboardChanged = true;
      if (message.cmd === LiveCommand.value) watches.note(message);
      pending.add(message);
    },
    watch: (connection, watched) =>
      watches.watch(connection, watched, paces.heldFrom(connection.visibility, watches.keyOf(connection))),
    flush: () => {
      const sent: Sent = { messages: 0, skipped: 0 };
      if (isDashboardChanged && !held) void reloadVisibilities();
      if (isReloading) return sent;
      const frames = held ?? pending.take();
      held = undefined;
      send({ connections, watches, paces }, frames, sent);
      return sent;
    },
    get isHolding() {
      if (isReloading) return false;
      const isWaiting = !pending.isEmpty || paces.isHolding;
      return isWaiting || connections.values().some(({ sendBuffer }) => sendBuffer.isHolding);
    },
  };
  return channel;
};

/** The channels of all plants with an open socket. */
export interface PlantChannels {
  /** The channel of a plant; undefined when no socket is open. */
  of(plantId: number): PlantChannel | undefined;
  join(connection: Connection): void;
  leave(connection: Connection): void;
  all(): Connection[];
}

export const createPlantChannels = (events: ChannelEvents): PlantChannels => {
  const plantChannels = new Map<number, PlantChannel>();
  return {
    of: (plantId) => plantChannels.get(plantId),
    join: (connection) => {
      const { plantId } = connection.caller;
      const plantChannel = plantChannels.get(plantId) ?? createPlantChannel(events);
      plantChannels.set(plantId, plantChannel);
      plantChannel.join(connection);
    },
    leave: (connection) => {
      const { plantId } = connection.caller;
      const plantChannel = plantChannels.get(plantId);
      plantChannel?.leave(connection);
      if (plantChannel?.connections.size === 0) plantChannels.delete(plantId);
    },
    all: () => [...plantChannels.values()].flatMap((plantChannel) => [...plantChannel.connections]),
  };
};
