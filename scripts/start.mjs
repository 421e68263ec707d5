// npm start: installs and builds what is missing, then runs the server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildConsole } from "./console-build.mjs";
import { environmentFor, run, withStarter } from "./launch.mjs";
import { root } from "./place.mjs";
import { buildServer } from "./server-build.mjs";
import { setup } from "./setup.mjs";

const node = await setup();
await buildConsole(node);
await buildServer(node);
// Sets V8's young generation to at most 32 MB: fewer collections than with 16, and with 64 or Node's default an export takes 100 MB more.
const flags = JSON.parse(readFileSync(join(import.meta.dirname, "server-flags.json"), "utf8"));
const args = [...flags, ...withStarter, "dist/server-src-main.js", ...process.argv.slice(2)];
process.exitCode = await run(node, args, { cwd: root, env: environmentFor(node) });
