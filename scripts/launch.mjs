import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./place.mjs";

/** The environment in which `node` and what it starts find themselves before any other Node. */
export const environmentFor = (node, more = {}) => ({
  ...process.env,
  PATH: [dirname(node), process.env.PATH ?? ""].join(delimiter),
  ...more,
});

/** Node's arguments for a program that is to end in order when whoever `run`s it is gone. */
export const withStarter = ["--import", pathToFileURL(join(import.meta.dirname, "starter.mjs")).href];

/** How often it is looked whether npm is gone, milliseconds: nobody tells its scripts. */
const lookEvery = 500;
const starter = process.ppid;
/** npm was killed: a process that has lost its parent has another one. A shell is no such starter, it may be gone in good order (nohup). */
const isLeft = () => process.env.npm_lifecycle_event !== undefined && process.ppid !== starter;

const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0);

/**
 * Runs a program until its end; says its exit code. A signal reaches the program once, even where terminal and npm both send it:
 * the program is in a process group of its own. One that `talks` to the terminal has to stay in the terminal's group, and has
 * Ctrl-C from there. One that is run `withStarter` ends with this process.
 */
export const run = (program, args, { env = process.env, cwd = root, talks = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, TELLTALE_STARTER: "3" },
      stdio: ["inherit", "inherit", "inherit", "pipe"],
      detached: !talks,
    });
    child.stdio[3].on("error", () => undefined).unref();
    const look = setInterval(() => isLeft() && child.kill("SIGTERM"), lookEvery).unref();
    let last = 0;
    const forward = (signal) => {
      const now = Date.now();
      const isRepeated = now - last < 1000;
      const isKnown = talks && signal === "SIGINT" && process.stdin.isTTY;
      last = now;
      if (!isRepeated && !isKnown) child.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, forward);
    child.on("error", reject);
    // Not "close": what a killed program leaves running for a while (its PostgreSQL) has the pipe open too.
    child.on("exit", (code, signal) => {
      for (const name of signals) process.off(name, forward);
      clearInterval(look);
      resolve(exitCode(code, signal));
    });
  });

/** Runs a program quietly; its output is shown only when it fails. Says how it went. */
export const runQuietly = (program, args, { env = process.env, cwd = root, timeout = 0 } = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (cause) => resolve({ code: 127, output: `${output}${cause.message}\n` }));
    child.on("close", (code, signal) => resolve({ code: exitCode(code, signal), output }));
  });

/** Shows that something takes its time: the seconds, at a terminal; one line, elsewhere. */
export const withProgress = async (text, work) => {
  const start = Date.now();
  const terminal = process.stderr.isTTY;
  if (!terminal) process.stderr.write(`${text} …\n`);
  const show = () => process.stderr.write(`\r${text} … ${Math.round((Date.now() - start) / 1000)} s `);
  const timer = terminal ? setInterval(show, 1000) : undefined;
  if (terminal) show();
  try {
    return await work();
  } finally {
    if (timer) clearInterval(timer);
    if (terminal) process.stderr.write("\n");
  }
};

/** Ends the script with what the failed program said. */
export const giveUp = (text, output = "") => {
  process.stderr.write(`${output}${output && !output.endsWith("\n") ? "\n" : ""}${text}\n`);
  process.exit(1);
};
