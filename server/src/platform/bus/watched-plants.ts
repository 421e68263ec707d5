import type { Peers } from "../node/peers.ts";

/** Interval at which a node repeats which plants its consoles show, and after which another one counts as gone; milliseconds. */
const every = 5_000;
const goneAfter = 15_000;

const subject = "watched";

interface Watching {
  nodeId: string;
  plantIds: number[];
}

/** Which plants have a console on which node, as far as the nodes have said so. */
export interface WatchedPlants {
  /** The plants with a console on this node. */
  set(plantIds: readonly number[]): void;
  /** Repeats them to the other nodes, which may have forgotten them. */
  tell(): void;
  isWatchedElsewhere(plantId: number): boolean;
  stop(): void;
}

export const createWatchedPlants = (peers: Peers, nodeId: string): WatchedPlants => {
  const others = new Map<string, { plantIds: ReadonlySet<number>; heardAt: number }>();
  let own: readonly number[] = [];
  const tell = (): void => peers.publish(subject, { nodeId, plantIds: own });
  const stopListening = peers.listen(subject, (content) => {
    const { nodeId: id, plantIds } = content as Watching;
    if (!others.has(id)) tell();
    others.set(id, { plantIds: new Set(plantIds), heardAt: performance.now() });
  });
  const timer = setInterval(() => {
    tell();
    for (const [id, { heardAt }] of others) if (performance.now() - heardAt > goneAfter) others.delete(id);
  }, every).unref();
  tell();
  return {
    set: (plantIds) => {
      own = plantIds;
      tell();
    },
    tell,
    isWatchedElsewhere: (plantId) => others.values().some(({ plantIds }) => plantIds.has(plantId)),
    stop: () => {
      clearInterval(timer);
      stopListening();
    },
  };
};
