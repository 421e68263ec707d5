import { declaredCount, initialSession, type NodeSession } from "./node-session.ts";

/** A value written to a metric, until the device reports it back. */
export interface PendingWrite {
  callId: number;
  value: number;
}

/** The state of a connected edge node. */
export interface Edge {
  /** `group/edge`, as in its topics. */
  name: string;
  session: NodeSession;
  /** Time of the last rebirth request, epoch milliseconds. */
  rebirthRequestedAt: number;
  /** Its births exceed the limit; a rebirth request would not bring the missing metrics. */
  exceedsLimit: boolean;
  /** Pending writes by device ("" is the node) and metric. */
  writes: Map<string, PendingWrite>;
}

export interface Edges {
  of(deviceId: number, name: string): Edge;
  /** The edge node of a device; undefined if it has not published since it connected. */
  known(deviceId: number): Edge | undefined;
  /** Removes it: a node's session ends with its connection, and it sends its births again on the next. [Sparkplug 3.0 §5.4] */
  forget(deviceId: number): void;
  /** Number of metrics declared by all edge nodes. */
  declared(): number;
}

const freshEdge = (name: string): Edge => ({
  name,
  session: initialSession,
  rebirthRequestedAt: Number.NEGATIVE_INFINITY,
  exceedsLimit: false,
  writes: new Map(),
});

export const createEdges = (): Edges => {
  // One edge node per token; a new name starts it anew, so that a device cannot fill the memory with names.
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
    declared: () => edges.values().reduce((sum, { session }) => sum + declaredCount(session), 0),
  };
};
