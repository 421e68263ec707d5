import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import flags from "../scripts/server-flags.json" with { type: "json" };

const root = join(import.meta.dirname, "..");
const longestStart = 60_000;

/** The variable that names the folder of data directories to begin with, made once for all tests of a run. */
export const preparedFolder = "E2E_PREPARED";

/** The data directory of a server that was started once, and stopped when the demonstration's past was complete. */
export const preparedData = (folder: string, demo: boolean): string => join(folder, demo ? "demo" : "empty");

/** What a test may choose about its server. */
export interface ServerOptions {
  /** With the demonstration plant and its simulated fleet; else empty. */
  demo: boolean;
  /** Further environment variables. */
  env?: Record<string, string>;
  /** A folder that is there and stays when the server is stopped; absent: one of its own, for as long as it runs. */
  dataDir?: string;
  /** Begins with an empty data directory, also where there is a prepared one: for tests of a first start. */
  isFirstStart?: boolean;
}

/** A real Telltale in a process, a data directory and ports of its own. */
export interface RunningServer {
  baseURL: string;
  mqttPort: number;
  dataDir: string;
  /** Process number of the server itself. */
  pid(): number;
  /** Whether that process still runs. */
  isRunning(): boolean;
  /** Everything the server has written so far. */
  output(): string;
  /** Runs `telltale … --json` beside the server; gives what it printed. */
  telltale<T>(...args: string[]): Promise<T>;
  /** kill -9, as a power cut would do it. */
  kill9(): Promise<void>;
  /** Ends it in order and keeps its data; gives its exit code. */
  terminate(): Promise<number | null>;
  /** Starts again after kill9 or terminate, in the same place. */
  restart(): Promise<void>;
  /** Ends it in order and removes its data. */
  stop(): Promise<void>;
}

/** Below those that systems give to outgoing connections. Each worker of a run has so many of its own: two that ask at once never get the same. */
const [firstPort, portsOfWorker] = [20_000, 2_000];
const myFirstPort = firstPort + Number(process.env.TEST_PARALLEL_INDEX ?? 0) * portsOfWorker;
let portsGiven = process.pid;

/** A port nobody listens on, nor is about to. */
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

/** With owners and modes: PostgreSQL refuses files that are another user's. */
const copyAsItIs = (from: string, to: string) => promisify(execFile)("cp", ["-a", `${from}/.`, to]);

const untilReady = async (baseURL: string, isRunning: () => boolean, said: () => string): Promise<void> => {
  const patience = AbortSignal.timeout(longestStart);
  while (!patience.aborted && isRunning()) {
    // It greets when it listens. Before that whoever answers at its address is another server, of another run on this machine.
    const hasGreeted = said().includes("Telltale is ready at");
    const answer = hasGreeted ? await fetch(`${baseURL}/readyz`).catch(() => undefined) : undefined;
    if (answer?.ok) return;
    await sleep(50);
  }
  throw new Error(`The server did not become ready:\n${said().slice(-4_000)}`);
};

/** Commands that are no commands of a batch: they end every connection to the database, or hold the whole of it. */
const aloneOnly = new Set(["backup", "restore", "batch"]);

interface OperatorAnswer {
  rows?: unknown;
  error?: string;
}

/** `telltale batch`, which goes on for as long as a test's server does: a process a command would load the server's modules each time. */
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
    /** What one command brings, after those before it. */
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

/** Where a server is, which it keeps when it starts again. */
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
  isFirstStart = false,
}: ServerOptions): Promise<RunningServer> => {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), "telltale-e2e-")));
  const prepared = process.env[preparedFolder];
  if (!given && !isFirstStart && prepared) await copyAsItIs(preparedData(prepared, demo), dataDir);
  const { DATABASE_URL: _others, ...inherited } = process.env;
  let output = "";

  const startAt = async ({ baseURL, env }: Place): Promise<ChildProcess> => {
    const before = output.length;
    const said = () => output.slice(before);
    const child = spawn(process.execPath, [...flags, "server/src/main.ts"], {
      cwd: root,
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
      await untilReady(baseURL, isRunning, said);
      return child;
    } catch (cause) {
      await end(child, "SIGKILL");
      throw cause;
    }
  };

  /** Another run on this machine may take a port between our look and the server's start. */
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
      const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env });
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
    restart: async () => {
      child = await startAt(place);
    },
    stop: async () => {
      await endOperator();
      await end(child, "SIGTERM");
      if (!given) await rm(dataDir, { recursive: true, force: true });
    },
  };
};
