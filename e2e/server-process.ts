import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import flags from "../scripts/server-flags.json" with { type: "json" };

const execute = promisify(execFile);
const root = join(import.meta.dirname, "..");
let built: Promise<unknown> | undefined;

/** The server's program: this version's as it is packed, another's as its sources. */
const programOf = async (code: string): Promise<string> => {
  if (code !== root) return "server/src/main.ts";
  built ??= execute(process.execPath, [join(root, "scripts/server-build.mjs")]);
  await built;
  return "dist/server-src-main.js";
};
const longestStart = 60_000;

/** Environment variable with the folder of prepared data directories, created once per run; empty when it has still to be created. */
export const preparedFolder = "E2E_PREPARED";

/** The data directory of a server that was started once, and stopped when the demonstration's history was complete. */
export const preparedData = (folder: string, demo: boolean): string => join(folder, demo ? "demo" : "empty");

/** Options of a test's server. */
export interface ServerOptions {
  /** With the demonstration plant and its simulated fleet; otherwise empty. */
  demo: boolean;
  /** Additional environment variables. */
  env?: Record<string, string>;
  /** An existing folder that is kept when the server is stopped; by default a temporary one. */
  dataDir?: string;
  /** Folder of the code that runs, as for another version; by default this one's. */
  code?: string;
  /** Starts with an empty data directory even when a prepared one exists: for tests of a first start. */
  isFirstStart?: boolean;
}

/** What users, devices and the operator's commands reach of a server, however it runs. */
export interface ReachableServer {
  baseURL: string;
  mqttPort: number;
  dataDir: string;
  /** Runs `telltale … --json` beside the server; returns the parsed output. */
  telltale<T>(...args: string[]): Promise<T>;
}

/** A real Telltale process with its own data directory and ports. */
export interface RunningServer extends ReachableServer {
  /** Process id of the server itself. */
  pid(): number;
  /** Whether that process is running. */
  isRunning(): boolean;
  /** The server's output so far. */
  output(): string;
  /** kill -9, like a power cut. */
  kill9(): Promise<void>;
  /** Stops it gracefully and keeps its data; returns the exit code. */
  terminate(): Promise<number | null>;
  /** Starts it again after kill9 or terminate, with the same data and ports; `code`: the folder of another version. */
  restart(code?: string): Promise<void>;
  /** Stops it gracefully and removes its data. */
  stop(): Promise<void>;
}

/** Below the ephemeral port range. Each worker of a run has its own range: two concurrent requests never get the same port. */
const [firstPort, portsOfWorker] = [20_000, 2_000];
const myFirstPort = firstPort + Number(process.env.TEST_PARALLEL_INDEX ?? 0) * portsOfWorker;
let portsGiven = process.pid;

/** A port that is free, and not about to be used. */
export const freePort = async (): Promise<number> => {
  portsGiven += 1;
  const port = myFirstPort + (portsGiven % portsOfWorker);
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, "close");
  return port;
};

/** Copies a data directory with owners and modes: PostgreSQL refuses files of another user. */
const copyData = async (from: string, to: string): Promise<void> => {
  const isPrograms = (name: string) => name.startsWith("postgresql-");
  const entries = await readdir(from);
  const copy = (how: string, names: string[]) => execute("cp", [how, ...names.map((name) => join(from, name)), to]);
  // PostgreSQL's programs are never written to, so all copies can share them.
  await copy("-al", entries.filter(isPrograms));
  await copy(
    "-a",
    entries.filter((name) => !isPrograms(name)),
  );
};

const untilReady = async (baseURL: string, isRunning: () => boolean, output: () => string): Promise<void> => {
  const patience = AbortSignal.timeout(longestStart);
  while (!patience.aborted && isRunning()) {
    // The greeting is printed once it listens. Before that, an answer at its address comes from another run's server on this machine.
    const hasGreeted = output().includes("Telltale is ready at");
    const answer = hasGreeted ? await fetch(`${baseURL}/readyz`).catch(() => undefined) : undefined;
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error(`The server did not become ready:\n${output().slice(-4_000)}`);
};

/** Commands that can't run in a batch: they end all connections to the database, or lock it. */
const aloneOnly = new Set(["backup", "restore", "batch", "database"]);

interface OperatorAnswer {
  rows?: unknown;
  error?: string;
}

/** `telltale batch`, which runs as long as a test's server: one process per command would load the server's modules each time. */
const startOperator = (env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, ["server/src/operator/main.ts", "batch", "--json"], {
    cwd: root,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (words: readonly string[]): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(words)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error("The operator's commands have ended");
    const { rows, error } = JSON.parse(value) as OperatorAnswer;
    if (error !== undefined) throw new Error(error);
    return rows;
  };
  return {
    /** Runs one command after the previous ones; resolves with its output. */
    ask: (words: readonly string[]): Promise<unknown> => {
      const mine = last.then(() => ask(words));
      last = mine.catch(() => undefined);
      return mine;
    },
    end: () => end(child, "SIGKILL"),
  };
};

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
};

/** Ports and data directory of a server, kept across restarts. */
interface Place {
  baseURL: string;
  mqttPort: number;
  env: NodeJS.ProcessEnv;
}

/** Starts a server and waits until it is ready. */
export const startServer = async ({
  demo,
  env: more = {},
  dataDir: given,
  code: firstCode = root,
  isFirstStart = false,
}: ServerOptions): Promise<RunningServer> => {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), "telltale-e2e-")));
  const prepared = process.env[preparedFolder];
  if (!given && !isFirstStart && prepared) await copyData(preparedData(prepared, demo), dataDir);
  const { DATABASE_URL: _others, ...inherited } = process.env;
  let output = "";

  const startAt = async ({ baseURL, env }: Place, code = firstCode): Promise<ChildProcess> => {
    const before = output.length;
    const printed = () => output.slice(before);
    const child = spawn(process.execPath, [...flags, await programOf(code)], {
      cwd: code,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    try {
      await untilReady(baseURL, isRunning, printed);
      return child;
    } catch (cause) {
      await end(child, "SIGKILL");
      throw cause;
    }
  };

  /** Another run on this machine may take a port between the check and the server's start. */
  const startAnywhere = async (tries = 3): Promise<{ place: Place; child: ChildProcess }> => {
    const [port, mqttPort] = [await freePort(), await freePort()];
    const baseURL = `http://127.0.0.1:${port}`;
    const own = { PORT: String(port), MQTT_PORT: String(mqttPort), DATA_DIR: dataDir, TELLTALE_DEMO: demo ? "1" : "0" };
    const place = { baseURL, mqttPort, env: { ...inherited, PUBLIC_URL: baseURL, ...own, ...more } };
    try {
      return { place, child: await startAt(place) };
    } catch (cause) {
      if (tries > 1 && String(cause).includes(" is in use: ")) return startAnywhere(tries - 1);
      throw cause;
    }
  };

  const { place, child: first } = await startAnywhere();
  const { baseURL, mqttPort, env } = place;
  let child = first;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  let operator: ReturnType<typeof startOperator> | undefined;
  const endOperator = async () => {
    await operator?.end();
    operator = undefined;
  };
  return {
    baseURL,
    mqttPort,
    dataDir,
    pid: () => child.pid ?? 0,
    isRunning,
    output: () => output,
    telltale: async <T>(...args: string[]) => {
      if (isRunning() && !aloneOnly.has(args[0] ?? "")) {
        operator ??= startOperator(env);
        return (await operator.ask(args)) as T;
      }
      await endOperator();
      const command = ["server/src/operator/main.ts", ...args, "--json"];
      const { stdout } = await execute(process.execPath, command, { cwd: root, env });
      return JSON.parse(stdout) as T;
    },
    kill9: async () => {
      await endOperator();
      await end(child, "SIGKILL");
    },
    terminate: async () => {
      await endOperator();
      await end(child, "SIGTERM");
      return child.exitCode;
    },
    restart: async (code) => {
      child = await startAt(place, code);
    },
    stop: async () => {
      await endOperator();
      await end(child, "SIGTERM");
      if (!given) await rm(dataDir, { recursive: true, force: true });
    },
  };
};
