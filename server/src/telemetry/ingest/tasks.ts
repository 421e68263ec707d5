import { setTimeout as pause } from "node:timers/promises";
import { isInParts } from "../../readings/index.ts";

/** Work that a lane does between two batches. */
interface Tasks {
  add(work: () => Promise<void>): void;
  isEmpty(): boolean;
  runAll(): Promise<void>;
  /** Waits before the next try of a batch. */
  rest(milliseconds: number): Promise<void>;
}

/** Creates the work of a lane; each piece runs once, in the order in which it was added. */
export const createTasks = (): Tasks => {
  const tasks: (() => Promise<void>)[] = [];
  let interrupt: () => void = () => undefined;
  const runAll = async (): Promise<void> => {
    for (const task of tasks.splice(0)) await task();
  };
  // A lane whose server is lost writes nothing between two tries: work that holds all lanes, and would hold the others until it can run, runs then.
  const restInParts = async (milliseconds: number): Promise<void> => {
    const until = performance.now() + milliseconds;
    for (let left = milliseconds; left > 0; left = until - performance.now()) {
      const { promise: interrupted, resolve } = Promise.withResolvers<void>();
      interrupt = resolve;
      if (tasks.length === 0) await Promise.race([pause(left), interrupted]);
      await runAll();
    }
  };
  return {
    add: (work) => {
      tasks.push(work);
      interrupt();
    },
    isEmpty: () => tasks.length === 0,
    runAll,
    rest: (milliseconds) => (isInParts() ? restInParts(milliseconds) : pause(milliseconds)),
  };
};
