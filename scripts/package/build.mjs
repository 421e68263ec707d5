// npm pack runs this first: builds the console and bundles the programs, so that nothing is built where the package is installed.
import { join } from "node:path";
import { buildConsole } from "../console-build.mjs";
import { environmentFor, giveUp, runQuietly, withProgress } from "../launch.mjs";
import { alone, root } from "../place.mjs";
import { setup } from "../setup.mjs";

const node = await setup();
await buildConsole(node);
const bundle = join(root, "scripts/package/bundle.mjs");
const { code, output } = await withProgress("Bundling the programs", () =>
  alone(() => runQuietly(node, [bundle], { env: environmentFor(node) })),
);
if (code !== 0) giveUp("The programs could not be bundled", output);
