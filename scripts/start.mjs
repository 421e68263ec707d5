// npm start: installs and builds what is missing, then runs the server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "./console-build.mjs";
import { environmentFor, run, withStarter } from "./launch.mjs";
import { root } from "./place.mjs";
import { setup } from "./setup.mjs";

const node = await setup();
await buildConsole(node);
// What is short-lived may fill 16 MB before it is cleaned up: with Node 24's own limit an export takes 100 MB more and is no faster.
const flags = JSON.parse(readFileSync(join(import.meta.dirname, "server-flags.json"), "utf8"));
const args = [...flags, ...withStarter, "server/src/main.ts", ...process.argv.slice(2)];
process.exitCode = await run(node, args, { cwd: root, env: environmentFor(node) });
