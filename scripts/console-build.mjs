import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOf, isMadeFrom } from "./digest.mjs";
import { environmentFor, giveUp, runQuietly, withProgress } from "./launch.mjs";
import { alone, root } from "./place.mjs";

const sources = ["console", "contract/src", "package-lock.json", "tsconfig.json"];
/** Stored beside the build, because Vite empties that folder first: an interrupted build leaves no mark. */
const mark = join(root, "console/dist/.built-from");

const build = async (node, digest) => {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const { code, output } = await withProgress("Building the console", () =>
    runQuietly(node, [vite, "build", "--logLevel", "warn"], {
      cwd: join(root, "console"),
      // With another value, such as that of a test which packs, Vite bundles React for development.
      env: environmentFor(node, { NODE_ENV: "production" }),
    }),
  );
  if (code !== 0) giveUp("The console could not be built", output);
  writeFileSync(mark, digest);
};

/** Builds the console if its sources have changed since the last build. */
export const buildConsole = async (node) => {
  const digest = digestOf(sources);
  if (!isMadeFrom(mark, digest)) await alone(() => (isMadeFrom(mark, digest) ? undefined : build(node, digest)));
};
