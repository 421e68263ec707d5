import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./place.mjs";

const skipped = new Set(["node_modules", "dist"]);

const filesUnder = (path) => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !skipped.has(entry.name))
      .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]));
  } catch {
    return existsSync(path) ? [path] : [];
  }
};

/** A digest of all files of these sources (files and folders below the root), to see whether what was made from them is of today. */
export const digestOf = (sources) => {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((source) => filesUnder(join(root, source))).sort()) {
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
};

/** Whether the mark file says that something was made from the sources of this digest. */
export const isMadeFrom = (mark, digest) => existsSync(mark) && readFileSync(mark, "utf8") === digest;
