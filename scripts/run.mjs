// node scripts/run.mjs FILE.ts …: runs one of Telltale's other programs, with a Node that can.
import { environmentFor, giveUp, run, withStarter } from "./launch.mjs";
import { setup } from "./setup.mjs";

const [file, ...rest] = process.argv.slice(2);
if (!file) giveUp("usage: node scripts/run.mjs FILE.ts [argument …]");
const node = await setup();
const args = ["--disable-warning=ExperimentalWarning", ...withStarter, file, ...rest];
process.exitCode = await run(node, args, { env: environmentFor(node), talks: true });
