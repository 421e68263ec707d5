import { Readable } from "node:stream";
import type { Files } from "../../../platform/files/files.ts";
import { notFound } from "../../../platform/http/api-error.ts";
import { pdfOfWorker } from "../../../platform/pdf-worker.ts";
import type { ManualRequest } from "./worker.ts";

const build = (wanted: ManualRequest): Promise<Uint8Array> =>
  pdfOfWorker(new URL("./worker.ts", import.meta.url), wanted);

/** The manuals as files: each is rendered at the first request after a start, one at a time, and stored. */
export const createManuals = (files: Files, folder: string) => {
  const made = new Map<string, Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  const make = (name: string): Promise<unknown> => {
    const making = last
      .catch(() => undefined)
      .then(() => build({ folder, name }))
      .then((content) => files.write(`manuals/${name}.pdf`, Readable.from([content])));
    last = making;
    // A failed one is retried at the next request.
    making.catch(() => made.delete(name));
    return making;
  };
  return async (name: string): Promise<Readable> => {
    const making = made.get(name) ?? make(name);
    made.set(name, making);
    await making;
    const content = await files.read(`manuals/${name}.pdf`);
    if (!content) throw notFound();
    return content;
  };
};
