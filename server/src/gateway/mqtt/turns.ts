import type { Client } from "aedes";
import { inTurn } from "../../platform/time-slice.ts";

/** Shares the event loop between the connections' packets and everything else, such as consoles' requests. */
export interface Turns {
  /** Calls `work` soon, once however often it is asked for. */
  ask(work: () => void): void;
}

/** Time until the next look whether reading goes on, milliseconds: a fraction of a commit. */
const pause = 2;

/**
 * Under full load a loop over every readable connection takes longer than a request may; its steps would each wait for that. While `isSupplied`, nothing
 * is read: packets wait as bytes in their connections' buffers, since decoded ones that outlive two garbage collections cost more than decoding them.
 */
export const createTurns = (isSupplied: () => boolean): Turns => {
  const asked = new Set<() => void>();
  let isPlanned = false;
  const plan = (): void => {
    isPlanned = true;
    inTurn(run);
  };
  const run = (end: number): void => {
    if (isSupplied()) {
      setTimeout(plan, pause);
      return;
    }
    isPlanned = false;
    try {
      for (const work of asked) {
        asked.delete(work);
        work();
        if (performance.now() > end) break;
      }
    } finally {
      if (asked.size > 0 && !isPlanned) plan();
    }
  };
  return {
    ask: (work) => {
      asked.add(work);
      if (!isPlanned) plan();
    },
  };
};

interface ReadingClient extends Client {
  /** Packets that are being processed. */
  _parsingBatch: number;
  /** Called when the connection has bytes, and after each processed packet: the last one reads on. */
  _nextBatch: (fault?: Error | null) => void;
}

/** Makes a client of the broker read its connection in its turn. */
export const readInTurns = (client: Client, turns: Turns): void => {
  const reading = client as ReadingClient;
  const read = reading._nextBatch;
  const readOn = (): void => read();
  client.conn.off("readable", read);
  client.conn.on("readable", () => turns.ask(readOn));
  reading._nextBatch = (fault) => {
    if (fault || reading._parsingBatch > 1) read(fault);
    else turns.ask(readOn);
  };
};
