// npm pack runs this first: builds the console and bundles the programs, so that nothing is built where the package is installed.
import { buildConsole } from "../console-build.mjs";
import { buildServer } from "../server-build.mjs";
import { setup } from "../setup.mjs";

const node = await setup();
await buildConsole(node);
await buildServer(node);
