import { announcePresence, type Presence } from "./platform/database/presence.ts";
import type { Sharing } from "./platform/database/serving-lock.ts";
import { createLifecycle, type Lifecycle } from "./platform/lifecycle.ts";
import type { World } from "./world.ts";

/** A server that stops while its database is being replaced, and restarts with the new content. */
export interface Serving {
  start(): Promise<void>;
  /** Hands the clients over to other servers, if there are any, before a planned stop. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

interface Needs extends Pick<World, "log"> {
  databaseUrl: string;
  /** Whether this server is the only one on its database, or a node of a cluster. */
  sharing: Sharing;
  /** Starts everything that depends on the database; `life` stops it. */
  begin(life: Lifecycle, presence: Presence): Promise<void>;
  /** A part could not be stopped. */
  onStopFault: (name: string, fault: unknown) => void;
  /** The restart failed. */
  onFault: (fault: unknown) => void;
}

/** Creates the serving cycle. Nothing cached survives a restore: caches, jobs, connections and sockets are all recreated. */
export const createServing = ({ log, databaseUrl, sharing, begin, onStopFault, onFault }: Needs): Serving => {
  let life: Lifecycle | undefined;
  let presence: Presence | undefined;
  let isStopping = false;
  /** Why a restore asks the server to stop, until it has. */
  let asked: string | undefined;
  let moving: Promise<void> = Promise.resolve();

  const startAll = async (): Promise<void> => {
    presence = await announcePresence({ url: databaseUrl, log, sharing, onStopForRestore: stopForRestore });
    if (isStopping) return;
    life = createLifecycle(onStopFault);
    await begin(life, presence);
  };
  const stopAll = async (): Promise<void> => {
    await life?.stop();
    life = undefined;
    await presence?.end();
  };
  /** A server that is asked to stop while it starts is refused the database from then on: that start has failed, and another follows. */
  const startUp = async (): Promise<void> => {
    for (;;) {
      asked = undefined;
      try {
        return await startAll();
      } catch (fault) {
        if (asked === undefined || isStopping) throw fault;
        log.warn(asked);
        await stopAll();
      }
    }
  };
  const stopForRestore = (reason: string): void => {
    asked = reason;
    moving = moving
      .then(async () => {
        if (isStopping || asked === undefined) return;
        log.warn(reason);
        await stopAll();
        if (!isStopping) await startUp();
        log.info("The server is running again");
      })
      .catch(onFault);
  };
  return {
    start: () => {
      moving = startUp();
      return moving;
    },
    drain: async () => life?.drain(),
    stop: async () => {
      isStopping = true;
      // Does not wait for a presence that waits for the end of a restore.
      await stopAll();
    },
  };
};
