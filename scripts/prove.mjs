// npm run prove -- …: faults, load and attacks, tried on servers of their own; arguments go to prove/main.ts.
import { environmentFor, run, withStarter } from "./launch.mjs";
import { setup } from "./setup.mjs";

const node = await setup();
const args = ["--disable-warning=ExperimentalWarning", ...withStarter, "prove/main.ts", ...process.argv.slice(2)];
process.exitCode = await run(node, args, { env: environmentFor(node), talks: true });
