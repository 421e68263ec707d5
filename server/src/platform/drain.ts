import { setTimeout as sleep } from "node:timers/promises";
import type { Lifecycle } from "./lifecycle.ts";

/** Connections of one kind that clients open again at another node after they have been closed. */
export interface Handover {
  count(): number;
  /** Closes up to this many. */
  close(most: number): void;
}

/** How a node of a cluster is left by its clients before it stops. */
export interface Drain {
  /** Whether the node is being left: a balancer should lead no new clients to it. */
  isUnderWay(): boolean;
  /** Registers connections to hand over. */
  add(connections: Handover): void;
}

/** Milliseconds. */
export interface DrainTimes {
  /** For the balancer to notice that this node takes no new clients. */
  notice: number;
  /** Between two parts. */
  step: number;
}

const usual: DrainTimes = { notice: 2_000, step: 1_000 };

/** Number of parts: each is 5 % of the connections at the beginning. */
const parts = 20;

/**
 * Creates the drain of a node, run before its planned stop: closes all connections, a part at a time, so that not all clients come to the other nodes
 * at once. A server that is alone has none: its clients could only come back to it.
 */
export const createDrain = (life: Pick<Lifecycle, "onDrain">, { notice, step }: DrainTimes = usual): Drain => {
  const all: Handover[] = [];
  let isUnderWay = false;
  life.onDrain(async () => {
    isUnderWay = true;
    await sleep(notice);
    const shares = all.map((connections) => ({ connections, size: Math.ceil(connections.count() / parts) }));
    // Once more than there are parts, for clients that have come meanwhile.
    for (let part = 0; part <= parts && all.some(({ count }) => count() > 0); part++) {
      for (const { connections, size } of shares) connections.close(Math.max(1, size));
      await sleep(step);
    }
  });
  return {
    isUnderWay: () => isUnderWay,
    add: (connections) => void all.push(connections),
  };
};
