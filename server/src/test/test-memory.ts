import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Frees what nothing refers to any more. */
export const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Bytes that are in use after a collection: objects and buffers. The resident set is no measure of what a test uses: it also grows by garbage of the
 * tests before.
 */
export const memoryInUse = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
