import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOf, isMadeFrom } from "./digest.mjs";
import { environmentFor, giveUp, runQuietly, withProgress } from "./launch.mjs";
import { alone, root } from "./place.mjs";

const sources = ["server", "contract/src", "simulator", "scripts/package", "package.json", "package-lock.json"];
/** Stored last: an interrupted build leaves no mark. */
const mark = join(root, "dist/.built-from");

const build = async (node, digest) => {
  const { code, output } = await withProgress("Bundling the programs", () =>
    runQuietly(node, [join(root, "scripts/package/bundle.mjs")], { env: environmentFor(node) }),
  );
  if (code !== 0) giveUp("The programs could not be bundled", output);
  writeFileSync(mark, digest);
};

/**
 * Bundles the programs into `dist` if their sources have changed since the last time. `npm start`, the browser tests and the benchmarks run what the
 * package contains, which needs 15 MB less memory than the sources.
 */
export const buildServer = async (node) => {
  const digest = digestOf(sources);
  if (!isMadeFrom(mark, digest)) await alone(() => (isMadeFrom(mark, digest) ? undefined : build(node, digest)));
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer(process.execPath);
