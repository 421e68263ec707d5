import { performance as loop } from "node:perf_hooks";
import type { ServerNode } from "./node.ts";

/**
 * How long a lane lets messages gather between two batches, milliseconds. A commit has a cost of its own, whatever is in it: messages that follow
 * each other closely share one. A node has only its share of them, and waits longer for as many. A device that waits for each acknowledgement is alone in its
 * batch, and is not held up.
 */
const gatherTime = { alone: 10, ofCluster: 40 };

/** Between two looks whether there is enough, milliseconds. */
const step = 5;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, step));

/** Share of its time for which the event loop of a server is busy from which it is short of time: then its answers wait for each other. */
const shortOfTime = 0.5;

/** How long the event loop is watched for one figure, milliseconds. */
const watched = 250;

/** Returns whether this process's event loop has been busy for most of its time lately. */
const createBusyLook = (): (() => boolean) => {
  let last = loop.eventLoopUtilization();
  let at = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - at >= watched) {
      isBusy = loop.eventLoopUtilization(last).utilization >= shortOfTime;
      last = loop.eventLoopUtilization();
      at = now;
    }
    return isBusy;
  };
};

export interface GatheringNeeds {
  node: Pick<ServerNode, "isOfCluster">;
  isStopping: () => boolean;
  /** Whether what waits in all lanes is enough for their next batches. */
  isSupplied: () => boolean;
}

/** Lets messages gather between two batches. */
export interface Gathering {
  /** Tells how many messages were in the last batch. */
  wrote(messages: number): void;
  /** Resolves when the next batch is to be written. */
  wait(): Promise<void>;
}

/**
 * A node of a cluster lets messages gather always: the nodes share the messages, and each makes its own commits, which would be as many times more. A server
 * alone does so while it is short of time.
 */
export const createGathering = (
  { node, isStopping, isSupplied }: GatheringNeeds,
  isBusy: () => boolean = createBusyLook(),
): Gathering => {
  let isShared = false;
  return {
    wrote: (messages) => {
      isShared = messages > 1;
    },
    wait: async () => {
      if (!isShared || !(node.isOfCluster || isBusy())) return;
      const end = performance.now() + (node.isOfCluster ? gatherTime.ofCluster : gatherTime.alone);
      while (performance.now() < end && !isSupplied() && !isStopping()) await pause();
    },
  };
};
