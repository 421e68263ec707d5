import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Guide, readGuide } from "./guide.ts";
import { digestOf, type GuidePicture, readPictures } from "./pictures.ts";

/** The guide with its pictures. */
export interface Material {
  guide: Guide;
  pictures: ReadonlyMap<string, GuidePicture>;
  /** Changes with the content of guide and pictures. */
  version: string;
}

const textsOf = async (folder: string): Promise<string[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".md")).sort();
  return Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
};

/** Reads the content of the support screen. */
export const readMaterial = async (folder: string): Promise<Material> => {
  const [guide, pictures, texts] = await Promise.all([
    readGuide(folder),
    readPictures(join(folder, "images")),
    textsOf(folder),
  ]);
  const versions = [...pictures.values()].map(({ name, version }) => `${name} ${version}`);
  return { guide, pictures, version: digestOf(...texts, ...versions.sort()) };
};
