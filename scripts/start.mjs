// npm start: installs and builds what is missing, then runs the server.
import { buildConsole } from "./console-build.mjs";
import { environmentFor, run } from "./launch.mjs";
import { root } from "./place.mjs";
import { setup } from "./setup.mjs";

const node = await setup();
await buildConsole(node);
const args = ["--disable-warning=ExperimentalWarning", "server/src/main.ts", ...process.argv.slice(2)];
process.exitCode = await run(node, args, { cwd: root, env: environmentFor(node) });
