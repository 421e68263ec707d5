import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * The PDF that a worker's script posts as its only message. Rendering takes up to a second of processor time, which must not block devices.
 * Throws what the script throws.
 */
export const pdfOfWorker = async (script: URL, workerData: unknown): Promise<Uint8Array> => {
  const worker = new Worker(script, { workerData });
  try {
    const [content]: unknown[] = await once(worker, "message");
    if (!(content instanceof Uint8Array)) throw new Error(`${script.pathname} has answered no PDF`);
    return content;
  } finally {
    await worker.terminate();
  }
};
