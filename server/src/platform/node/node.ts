import type { NodeLocks } from "./locks.ts";

/** Work of a role that one node of a cluster has at a time. */
export interface Running {
  stop(): Promise<unknown> | unknown;
}

/** This process among the servers of its database: the only one, or a node of a cluster. */
export interface ServerNode {
  /** Id of this start, a UUID. */
  id: string;
  /** Whether other nodes may serve the same database. */
  isOfCluster: boolean;
  /** Runs work that no other node may do at the same time. Returns undefined without running it while another node does. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Begins the role once no other node has it, and again whenever it is got back. Returns the function that ends it; another node then takes over. */
  lead(name: string, begin: () => Running): () => Promise<void>;
}

/** The node of a server that has its database to itself: nothing to wait for, and no connection of its own. */
export const singleNode = (id: string): ServerNode => ({
  id,
  isOfCluster: false,
  alone: (_name, work) => work(),
  lead: (_name, begin) => {
    const running = begin();
    return async () => void (await running.stop());
  },
});

/** Interval at which a node tries to get a role, or checks that it still has it, milliseconds. */
const every = 2_000;

/** A node of a cluster: what one node does at a time is decided by advisory locks of the session `locks`. */
export const clusterNode = (id: string, locks: NodeLocks): ServerNode => ({
  id,
  isOfCluster: true,
  alone: async (name, work) => {
    if (!(await locks.take(name))) return undefined;
    try {
      return await work();
    } finally {
      await locks.release(name);
    }
  },
  lead: (name, begin) => {
    let running: Running | undefined;
    let isOver = false;
    const end = async (): Promise<void> => {
      const ending = running;
      running = undefined;
      await ending?.stop();
    };
    const look = async (): Promise<void> => {
      // A lost session has lost its locks: another node may have the role by now.
      if (running && !locks.has(name)) await end();
      else if (!running && !isOver && (await locks.take(name))) running = begin();
    };
    let looking = look().catch(() => undefined);
    const timer = setInterval(() => {
      looking = looking.then(look).catch(() => undefined);
    }, every).unref();
    return async () => {
      isOver = true;
      clearInterval(timer);
      await looking;
      await end();
      await locks.release(name);
    };
  },
});
