import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { support } from "@telltale/contract/domains/support";
import { notFound } from "../../platform/http/api-error.ts";
import type { Handlers } from "../../platform/http/mount.ts";
import type { World } from "../../world.ts";
import type { OperatorContacts } from "./items.ts";
import { createManuals } from "./manual/manuals.ts";

/** The guide's folder in the checkout. */
const guideFolder = join(import.meta.dirname, "../../../../docs/guide");

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
