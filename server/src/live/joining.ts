import { LiveCommand } from "@telltale/contract/live";
import type { Connection } from "./plant/connection.ts";
import type { Recent } from "./plant/recent.ts";
import type { everything, Watched } from "./plant/watch.ts";

/** Repeats what a joining socket may have missed. */
export const repeatChanges = (recent: Recent, { caller, visibility, sendBuffer }: Connection): void => {
  const missed = recent.of(caller.plantId).filter(({ message }) => visibility.sees(message));
  if (missed.length > 0) sendBuffer.offer(missed, Buffer.concat(missed.map(({ bytes }) => bytes)));
};

/** A plant whose dashboards change all the time must not keep its viewers out. */
const mostTries = 5;

interface Needs {
  recent: Recent;
  joinNow(connection: Connection, watched?: Watched | typeof everything): void;
  /** What the viewer may see could not be read again. */
  onFault(fault: unknown, connection: Connection): void;
}

/** Sockets that join a plant: at once, or once it is known what their viewers may see now. */
export interface Joining {
  join(connection: Connection): void;
  /** The socket was closed. */
  leave(connection: Connection): void;
  /** A socket that has not joined yet has named channels. */
  watch(connection: Connection, watched: Watched | typeof everything): void;
}

export const createJoining = ({ recent, joinNow, onFault }: Needs): Joining => {
  /** With the channels that they have named meanwhile. */
  const waiting = new Map<Connection, Watched | typeof everything | undefined>();
  const lastChange = ({ caller }: Connection) =>
    recent.of(caller.plantId).findLast(({ message }) => message.cmd === LiveCommand.dashboardChange)?.message;
  /** A dashboard may have changed after it was read what its viewer may see, and while it is read again. */
  const renew = async (connection: Connection): Promise<void> => {
    let known: unknown;
    for (let tries = 0; tries < mostTries && known !== lastChange(connection); tries++) {
      known = lastChange(connection);
      await connection.visibility.reload?.();
    }
    const watched = waiting.get(connection);
    if (waiting.delete(connection)) joinNow(connection, watched);
  };
  return {
    join: (connection) => {
      if (!connection.visibility.reload || !lastChange(connection)) return joinNow(connection);
      waiting.set(connection, undefined);
      renew(connection).catch((fault: unknown) => waiting.delete(connection) && onFault(fault, connection));
    },
    leave: (connection) => void waiting.delete(connection),
    watch: (connection, watched) => {
      if (waiting.has(connection)) waiting.set(connection, watched);
    },
  };
};
