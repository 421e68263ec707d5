import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Longest time of a rendering, milliseconds: many times what it takes on a slow machine. */
const longest = 60_000;

/**
 * The PDF that a worker's script posts as its only message. Rendering takes up to a second of processor time, which must not block devices.
 * Throws what the script throws, and when it has posted nothing after a minute; the worker is gone then.
 */
export const pdfOfWorker = async (
  script: string | URL,
  workerData: unknown,
  timeout = longest,
): Promise<Uint8Array> => {
  const worker = new Worker(script, { workerData });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  try {
    const [content]: unknown[] = await once(worker, "message", { signal: late.signal });
    if (!(content instanceof Uint8Array)) throw new Error(`${script} has answered no PDF`);
    return content;
  } catch (fault) {
    if (late.signal.aborted) throw new Error(`${script} has made no PDF in ${timeout / 1000} seconds`);
    throw fault;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};
