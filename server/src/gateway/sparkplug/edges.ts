import { declaredIn, type NodeSession, unborn } from "./node-session.ts";

/** A value that was written to a metric and is waited for to be reported back. */
export interface PendingWrite {
  callId: number;
  value: number;
}

/** An edge node on the connections that it has. */
export interface Edge {
  /** `group/edge`, as in its topics. */
  name: string;
  session: NodeSession;
  /** When a rebirth was requested last, epoch milliseconds. */
  askedAt: number;
  /** Its births declare more than is kept: what lacks then, births sent again would not bring. */
  isOverfull: boolean;
  /** By device ("" is the node) and metric. */
  writes: Map<string, PendingWrite>;
}

export interface Edges {
  of(deviceId: number, name: string): Edge;
  /** The edge node of a device, if it has published since it connected. */
  known(deviceId: number): Edge | undefined;
  /** Forgets it: with its connection a node's session ends, and on the next it sends its births. [Sparkplug 3.0 §5.4] */
  forget(deviceId: number): void;
  /** Metrics that all of them have declared. */
  declared(): number;
}

const freshEdge = (name: string): Edge => ({
  name,
  session: unborn,
  askedAt: Number.NEGATIVE_INFINITY,
  isOverfull: false,
  writes: new Map(),
});

export const createEdges = (): Edges => {
  // One token is one edge node; under another name it starts anew, so that a device can't fill the memory with names.
  const edges = new Map<number, Edge>();
  return {
    of: (deviceId, name) => {
      const known = edges.get(deviceId);
      if (known?.name === name) return known;
      const fresh = freshEdge(name);
      edges.set(deviceId, fresh);
      return fresh;
    },
    known: (deviceId) => edges.get(deviceId),
    forget: (deviceId) => void edges.delete(deviceId),
    declared: () => edges.values().reduce((sum, { session }) => sum + declaredIn(session), 0),
  };
};
