import { LiveCommand } from "@telltale/contract/live";
import type { Connection } from "./connection.ts";
import type { Recent } from "./recent.ts";

/** Repeats what a joining socket may have missed. */
export const repeatChanges = (recent: Recent, { caller, visibility, sendBuffer }: Connection): void => {
  const missed = recent.of(caller.plantId).filter(({ message }) => visibility.sees(message));
  if (missed.length > 0) sendBuffer.offer(missed, Buffer.concat(missed.map(({ bytes }) => bytes)));
};

/** A plant whose dashboards change all the time must not keep its viewers out. */
const mostTries = 5;

interface Needs {
  recent: Recent;
  joinNow(connection: Connection): void;
  /** What the viewer may see could not be read again. */
  onFault(fault: unknown, connection: Connection): void;
}

/** Sockets that join a plant: at once, or once it is known what their viewers may see now. */
export interface Joining {
  join(connection: Connection): void;
  /** The socket was closed. */
  leave(connection: Connection): void;
}

export const createJoining = ({ recent, joinNow, onFault }: Needs): Joining => {
  const waiting = new Set<Connection>();
  const lastChange = ({ caller }: Connection) =>
    recent.of(caller.plantId).findLast(({ message }) => message.cmd === LiveCommand.dashboardChange)?.message;
  /** A dashboard may have changed after it was read what its viewer may see, and while it is read again. */
  const renew = async (connection: Connection): Promise<void> => {
    let known: unknown;
    for (let tries = 0; tries < mostTries && known !== lastChange(connection); tries++) {
      known = lastChange(connection);
      await connection.visibility.reload?.();
    }
    if (waiting.delete(connection)) joinNow(connection);
  };
  return {
    join: (connection) => {
      if (!connection.visibility.reload || !lastChange(connection)) return joinNow(connection);
      waiting.add(connection);
      renew(connection).catch((fault: unknown) => waiting.delete(connection) && onFault(fault, connection));
    },
    leave: (connection) => void waiting.delete(connection),
  };
};
