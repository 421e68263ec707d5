import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { SupportType, support } from "@telltale/contract/support";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import type { World } from "../world.ts";
import { type OperatorContacts, supportItems } from "./items.ts";
import { createManuals } from "./manual/manuals.ts";
import { readMaterial } from "./material.ts";

/** Where the guide lies in the checkout. */
const guideFolder = join(import.meta.dirname, "../../../docs/guide");

/** The guide is read when somebody asks for it first, and kept: it changes with the version only. */
export const supportRoutes = (
  { files }: Pick<World, "files">,
  operator: OperatorContacts,
): Handlers<typeof support> => {
  let reading: ReturnType<typeof readMaterial> | undefined;
  const material = () => {
    reading ??= readMaterial(guideFolder);
    return reading;
  };
  const contentOf = createManuals(files, guideFolder);
  return {
    getInfo: async ({ type }) => supportItems(await material(), operator)[type as SupportType],
    manual: async ({ name, version }) => {
      const { guide, version: current } = await material();
      const manual = guide.manuals.find((each) => each.name === name);
      if (!manual) throw notFound();
      const isLasting = version === current;
      return { name: `${manual.title}.pdf`, content: await contentOf(name), isLasting, isShown: true };
    },
    image: async ({ name, version }) => {
      const picture = (await material()).pictures.get(name);
      if (!picture) throw notFound();
      const isLasting = version === picture.version;
      return { name: `${name}.png`, content: createReadStream(picture.path), isLasting, isShown: true };
    },
  };
};
