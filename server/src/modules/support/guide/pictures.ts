import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A picture of the guide; width and height in CSS pixels of the original screen. */
export interface GuidePicture {
  name: string;
  path: string;
  /** Changes with the content. */
  version: string;
  width: number;
  height: number;
}

/** A short digest of contents, for addresses. */
export const digestOf = (...contents: (string | Buffer)[]): string => {
  const hash = createHash("sha256");
  for (const content of contents) hash.update(content).update("\0");
  return hash.digest("hex").slice(0, 12);
};

/** Picture pixels per CSS pixel. */
const pixelRatio = 1.5;

/** A PNG has its size at a fixed place after its signature. */
const sizeOf = (png: Buffer): { width: number; height: number } => ({
  width: Math.round(png.readUInt32BE(16) / pixelRatio),
  height: Math.round(png.readUInt32BE(20) / pixelRatio),
});

const pictureOf = async (folder: string, file: string): Promise<GuidePicture> => {
  const path = join(folder, file);
  const content = await readFile(path);
  return { name: file.replace(/\.png$/, ""), path, version: digestOf(content), ...sizeOf(content) };
};

/** The pictures in `folder` by file name without extension. Names come from the folder, never from a request. */
export const readPictures = async (folder: string): Promise<Map<string, GuidePicture>> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".png"));
  const pictures = await Promise.all(files.map((file) => pictureOf(folder, file)));
  return new Map(pictures.map((picture) => [picture.name, picture]));
};
