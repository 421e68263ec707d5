// npm run bench -- …: the benchmarks, or some of them; arguments go to bench/main.ts.
import { findChromium } from "./chromium.mjs";
import { buildConsole } from "./console-build.mjs";
import { environmentFor, run, withStarter } from "./launch.mjs";
import { findNats } from "./nats.mjs";
import { setup } from "./setup.mjs";

const node = await setup();
await buildConsole(node);
const chromium = await findChromium(node);
if (!chromium) console.log("No Chromium: `scrolling`, `phone` and others need one; install it, or set CHROMIUM_PATH");
const nats = await findNats();
if (!nats) console.log("No NATS server: the scenario `cluster` needs one; install nats-server, or set NATS_SERVER");
const args = ["--disable-warning=ExperimentalWarning", ...withStarter, "bench/main.ts", ...process.argv.slice(2)];
process.exitCode = await run(node, args, {
  env: environmentFor(node, { ...(chromium && { CHROMIUM_PATH: chromium }), ...(nats && { NATS_SERVER: nats }) }),
  talks: true,
});
