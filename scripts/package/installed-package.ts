import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** npm's program, to run it with this Node: the one that runs the tests, or the one on the PATH. */
const npmProgram = (): string => {
  const { npm_execpath: given = "", PATH = "" } = process.env;
  if (/npm-cli\.[cm]?js$/.test(given)) return given;
  const found = PATH.split(delimiter).find((folder) => existsSync(join(folder, "npm")));
  if (!found) throw new Error("There is no npm on the PATH");
  return realpathSync(join(found, "npm"));
};
const npm = npmProgram();

/** Of the environment of npm's own scripts only where it gets packages from: the rest would be taken for that of the folder to install into. */
const npmEnvironment = (): NodeJS.ProcessEnv => {
  const isForeign = (name: string) => /^(npm_|INIT_CWD$|NODE_OPTIONS$)/i.test(name);
  const isSource = (name: string) => /^npm_config_(cache|registry|userconfig|globalconfig)$/i.test(name);
  const kept = Object.entries(process.env).filter(([name]) => !isForeign(name) || isSource(name));
  return { ...Object.fromEntries(kept), PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
};

/** A user other than root, where there is a choice and that user may run Node. */
const otherUser = (): { uid: number; gid: number } | undefined => {
  const nobody = { uid: 65534, gid: 65534 };
  if (process.getuid?.() !== 0) return undefined;
  return spawnSync(process.execPath, [npm, "--version"], { ...nobody, cwd: "/", env: {} }).status === 0
    ? nobody
    : undefined;
};

/** A server that was started from the package. */
export interface PackagedServer {
  process: ChildProcess;
  baseUrl: string;
  mqttUrl: string;
  greeting: string;
}

/** Telltale's package, installed into an empty folder, and run by a user who may write only to its own. */
export interface InstalledPackage {
  dataDir: string;
  /** Names of all packages that were installed. */
  packages: string[];
  /** Starts `telltale`, directly or by npx, and waits until it is ready. */
  start(by?: "npx"): Promise<PackagedServer>;
  /** Runs `telltale …` to its end; returns its output. */
  telltale(...args: string[]): Promise<string>;
  /** Installs the typed client into a folder of its own, and runs the program of its README; returns its output. */
  runClient(env: { TELLTALE_URL: string; TELLTALE_KEY: string }): Promise<string>;
  /** Ends what is still running, and removes everything. */
  remove(): Promise<void>;
}

const packageIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(join(folder, "node_modules"));
  const scoped = names.filter((name) => name.startsWith("@"));
  const inner = await Promise.all(scoped.map((name) => readdir(join(folder, "node_modules", name))));
  return [...names.filter((name) => !/^[@.]/.test(name)), ...inner.flat()];
};

/** The greeting, when it is complete; throws what the server says when it ends instead. */
const greetingOf = async (server: ChildProcess): Promise<string> => {
  let [output, errors] = ["", ""];
  server.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  for await (const part of server.stdout?.setEncoding("utf8") ?? []) {
    output += part;
    if (output.includes("Telltale is ready") && output.endsWith("\n\n")) return output;
  }
  throw new Error(`Telltale has not started: ${output}${errors}`);
};

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Ends a server as systemd does; resolves with its exit code. */
export const terminate = async (server: ChildProcess): Promise<number | null> => {
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  const [code]: unknown[] = await ended;
  return typeof code === "number" ? code : null;
};

/** Packs what is in a folder of this checkout; returns the package's file. */
const packInto = async (folder: string, source: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const { stdout } = await run(process.execPath, [npm, "pack", "--json", "--pack-destination", folder], {
    cwd: join(root, source),
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  const packed = /"filename": "([^"]+)"/.exec(stdout)?.[1];
  if (!packed) throw new Error("npm pack has made no package");
  return join(folder, packed);
};

const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];

/** The first TypeScript program of a text. */
const programIn = (text: string): string => /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? "";

/** Packs the typed client, installs it, checks the types of its README's program and runs it. */
const runClientIn = async (folder: string, own: NodeJS.ProcessEnv): Promise<string> => {
  const env = npmEnvironment();
  await mkdir(folder);
  await run(process.execPath, [join(root, "scripts/package/client.mjs")], { cwd: root, env });
  await run(process.execPath, [npm, "install", ...quietly, await packInto(folder, "contract/dist", env)], {
    cwd: folder,
    env,
  });
  const program = join(folder, "program.mts");
  await writeFile(program, programIn(await readFile(join(root, "contract/dist/README.md"), "utf8")));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const types = ["--typeRoots", join(root, "node_modules/@types"), "--types", "node"];
  await run(process.execPath, [tsc, "--noEmit", "--strict", "--module", "nodenext", ...types, program], {
    cwd: folder,
  });
  return (
    await run(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
      cwd: folder,
      env: { ...env, ...own },
    })
  ).stdout;
};

/** Packs this checkout and installs the package. */
export const installPackage = async (): Promise<InstalledPackage> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-package-"));
  const [app, home] = [join(folder, "app"), join(folder, "home")];
  await mkdir(app);
  await mkdir(home);
  const user = otherUser();
  await chmod(folder, 0o755);
  if (user) await chown(home, user.uid, user.gid);
  const env = npmEnvironment();
  const packed = await packInto(folder, ".", env);
  await run(process.execPath, [npm, "install", ...quietly, packed], { cwd: app, env });

  const dataDir = join(home, "data");
  const program = join(app, "node_modules/.bin/telltale");
  const own = {
    cwd: app,
    ...user,
    env: {
      PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
      HOME: home,
      DATA_DIR: dataDir,
      ...{ PORT: "0", MQTT_PORT: "0", HOST: "127.0.0.1", MQTT_HOST: "127.0.0.1" },
    },
  };
  const servers: ChildProcess[] = [];
  return {
    dataDir,
    packages: await packageIn(app),
    start: async (by) => {
      const [command, args] = by ? [process.execPath, [npm, "exec", "telltale"]] : [program, []];
      const server = spawn(command, args, { ...own, stdio: ["ignore", "pipe", "pipe"] });
      servers.push(server);
      const greeting = await greetingOf(server);
      const [http, mqtt] = [/ready at http:\/\/localhost:(\d+)/, /mqtt:\/\/localhost:(\d+)/];
      return {
        process: server,
        baseUrl: `http://127.0.0.1:${http.exec(greeting)?.[1]}`,
        mqttUrl: `mqtt://127.0.0.1:${mqtt.exec(greeting)?.[1]}`,
        greeting,
      };
    },
    telltale: async (...args) => (await run(program, args, own)).stdout,
    runClient: (environment) => runClientIn(join(folder, "client"), environment),
    remove: async () => {
      await Promise.all(servers.filter(isRunning).map(terminate));
      // A server whose npx was ended may still be writing.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
    },
  };
};
