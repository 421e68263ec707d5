#!/usr/bin/env node
// The command `telltale`. The npm package runs its bundled programs, a checkout its sources, by scripts/ that install and build what is missing.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheckout = existsSync(join(root, "scripts/setup.mjs"));

const sources = {
  start: "server/src/main.ts",
  simulate: "simulator/src/main.ts",
  replay: "simulator/src/replay/main.ts",
};
const operator = "server/src/operator/main.ts";

const giveUp = (text, code) => {
  process.stderr.write(`${text}\n`);
  process.exit(code);
};

const isOld = () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major < 22 || (major === 22 && minor < 18);
};

/** Replaces this process by the program: a signal then reaches it at once, and no memory is spent on waiting. */
const runPackaged = async (source, args) => {
  if (isOld()) giveUp(`Telltale needs Node 22.18 or newer; this is ${process.versions.node}`, 1);
  const flags = JSON.parse(readFileSync(join(root, "scripts/server-flags.json"), "utf8"));
  if (isByNpx) flags.push("--import", new URL("./end-with-npm.mjs", import.meta.url).href);
  const program = join(root, "dist", `${source.replaceAll("/", "-").replace(/\.ts$/, ".js")}`);
  if (process.platform !== "win32")
    process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, program, ...args], process.env);
  // Windows cannot replace a process; there the program has this one's young generation.
  process.argv.splice(1, process.argv.length, program, ...args);
  await import(pathToFileURL(program).href);
};

const runSource = async (source, args) => {
  const script = source === sources.start ? ["start.mjs"] : ["run.mjs", source];
  process.argv.splice(2, process.argv.length, ...script.slice(1), ...args);
  await import(`../scripts/${script[0]}`);
};

const [name = "start", ...args] = process.argv.slice(2);
const isByNpx = isCheckout || process.env.npm_lifecycle_event !== undefined;
process.env.TELLTALE_COMMAND = isByNpx ? "npx telltale" : "telltale";
process.env.INIT_CWD = process.cwd();
if (name === "start" && args.length > 0)
  giveUp("`telltale start` takes no arguments: it is configured by environment variables, see the README", 2);
const source = sources[name];
const run = isCheckout ? runSource : runPackaged;
await (source ? run(source, args) : run(operator, process.argv.slice(2)));
