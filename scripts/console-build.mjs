import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentFor, giveUp, runQuietly, withProgress } from "./launch.mjs";
import { alone, root } from "./place.mjs";

const sources = ["console", "contract/src", "package-lock.json", "tsconfig.json"];
const skipped = new Set(["node_modules", "dist"]);
/** Stored beside the build, because Vite empties that folder first: an interrupted build leaves no mark. */
const mark = join(root, "console/dist/.built-from");

const filesUnder = (path) => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !skipped.has(entry.name))
      .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]));
  } catch {
    return existsSync(path) ? [path] : [];
  }
};

const digestOfSources = () => {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((source) => filesUnder(join(root, source))).sort()) {
    hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
};

const isBuilt = (digest) => existsSync(mark) && readFileSync(mark, "utf8") === digest;

const build = async (node, digest) => {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const { code, output } = await withProgress("Building the console", () =>
    runQuietly(node, [vite, "build", "--logLevel", "warn"], { cwd: join(root, "console"), env: environmentFor(node) }),
  );
  if (code !== 0) giveUp("The console could not be built", output);
  writeFileSync(mark, digest);
};

/** Builds the console if its sources have changed since the last build. */
export const buildConsole = async (node) => {
  const digest = digestOfSources();
  if (!isBuilt(digest)) await alone(() => (isBuilt(digest) ? undefined : build(node, digest)));
};
