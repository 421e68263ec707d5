import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { support } from "@telltale/contract/domains/support";
import type { Files } from "../../platform/files/files.ts";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import { programFile, root } from "../../platform/installed.ts";
import { pdfOfWorker } from "../../platform/pdf-worker.ts";
import type { World } from "../../world.ts";
import type { OperatorContacts } from "./items.ts";
import type { ManualRequest } from "./manual/worker.ts";

const build = (wanted: ManualRequest): Promise<Uint8Array> =>
  pdfOfWorker(programFile("server/src/modules/support/manual/worker.ts"), wanted);

/** The manuals as files: each is rendered at the first request after a start, one at a time, and stored. */
const createManuals = (files: Files, folder: string) => {
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

const guideFolder = join(root, "docs/guide");

/** Loaded at the first request and kept: it changes only with the version. Until then the Markdown parser takes no memory. */
const createLibrary = (operator: OperatorContacts) => {
  const read = async () => {
    const [{ readMaterial }, { supportItems }] = await Promise.all([
      import("./guide/material.ts"),
      import("./items.ts"),
    ]);
    const material = await readMaterial(guideFolder);
    return { ...material, items: supportItems(material, operator) };
  };
  let reading: ReturnType<typeof read> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
};

export const supportRoutes = (
  { files }: Pick<World, "files">,
  operator: OperatorContacts,
): Handlers<typeof support> => {
  const library = createLibrary(operator);
  const contentOf = createManuals(files, guideFolder);
  return {
    getInfo: async ({ type }) => (await library()).items[type],
    manual: async ({ name, version }) => {
      const { guide, version: current } = await library();
      const manual = guide.manuals.find((each) => each.name === name);
      if (!manual) throw notFound();
      const isLasting = version === current;
      return { name: `${manual.title}.pdf`, content: await contentOf(name), isLasting, isShown: true };
    },
    image: async ({ name, version }) => {
      const picture = (await library()).pictures.get(name);
      if (!picture) throw notFound();
      const isLasting = version === picture.version;
      return { name: `${name}.png`, content: createReadStream(picture.path), isLasting, isShown: true };
    },
  };
};
