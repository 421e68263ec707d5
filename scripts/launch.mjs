import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { isNpmGone } from "../bin/npm-gone.mjs";
import { keep, root } from "./place.mjs";

/** Folder of the modules that Node keeps compiled. */
export const compiled = join(keep, "compiled");

/**
 * The environment for `node` and its child processes: `node` is first on the PATH. Node keeps compiled modules: a start then needs neither parsing nor
 * stripping of types, takes half the time and 20 MB less. A program that enables that itself has already loaded the stripper, for its own file. If the
 * folder is not writable, nothing is kept.
 */
export const environmentFor = (node, more = {}) => ({
  NODE_COMPILE_CACHE: compiled,
  ...process.env,
  PATH: [dirname(node), process.env.PATH ?? ""].join(delimiter),
  ...more,
});

/** Arguments for Node that make a program shut down cleanly when the process that `run`s it is gone. */
export const withStarter = ["--import", pathToFileURL(join(import.meta.dirname, "starter.mjs")).href];

/** Interval of checks whether npm is gone, milliseconds: its scripts are not notified. */
const lookEvery = 500;
/** Whether npm was killed. A shell of the user's may have exited normally (nohup) and does not count. */
const isLeft = () => process.env.npm_lifecycle_event !== undefined && isNpmGone();

const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0);

/**
 * Runs a program until it ends; resolves with its exit code. The program has its own process group, so that a signal reaches it once, even where
 * terminal and npm both send it. One that `talks` to the terminal must stay in the terminal's group, and gets Ctrl-C from there. One that is run
 * `withStarter` ends with this process.
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
    // Not "close": a process that a killed program leaves running for a while (its PostgreSQL) also holds the pipe.
    child.on("exit", (code, signal) => {
      for (const name of signals) process.off(name, forward);
      clearInterval(look);
      resolve(exitCode(code, signal));
    });
  });

/** Runs a program and captures its output; resolves with exit code and output. */
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

/** The first lines of a failure's message, indented: the end of a long output is often all that is kept of it. */
export const firstLines = (message = "") =>
  stripVTControlCharacters(message)
    .split("\n")
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join("\n");

/** Shows progress: the elapsed seconds at a terminal, otherwise one line. */
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

/** Exits with the output of the failed program and a message. */
export const giveUp = (text, output = "") => {
  process.stderr.write(`${output}${output && !output.endsWith("\n") ? "\n" : ""}${text}\n`);
  process.exit(1);
};
