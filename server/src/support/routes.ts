import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { SupportType, support } from "@telltale/contract/support";
import type { Handlers } from "../http/mount.ts";
import { notFound } from "../http/refusal.ts";
import { type OperatorContacts, supportItems } from "./items.ts";
import { readMaterial } from "./material.ts";

/** Where the guide lies in the checkout. */
const guideFolder = join(import.meta.dirname, "../../../docs/guide");

/** The guide is read when somebody asks for it first, and kept: it changes with the version only. */
export const supportRoutes = (operator: OperatorContacts): Handlers<typeof support> => {
  let reading: ReturnType<typeof readMaterial> | undefined;
  const material = () => {
    reading ??= readMaterial(guideFolder);
    return reading;
  };
  return {
    getInfo: async ({ type }) => supportItems(await material(), operator)[type as SupportType],
    image: async ({ name }) => {
      const picture = (await material()).pictures.get(name);
      if (!picture) throw notFound();
      return { name: `${name}.png`, content: createReadStream(picture.path), isLasting: true, isShown: true };
    },
  };
};
